// The most that a server takes above what it has when idle: a fresh process for each reading.

import { setTimeout as sleep } from 'node:timers/promises';
import { contestants } from '../harness/contestants.mjs';
import { load } from '../harness/load.mjs';
import { start_server } from '../harness/servers.mjs';
import { forget_peak, status_kib, stop } from '../harness/processes.mjs';

/** 32 readers that take what together fills a link of 1 Gbit/s. */
const kSlow = { connections: 32, rate: 3_500_000, 'socket-memory': true };
/** Peers' compilers settle within this; it is not the call's memory. */
const kPeerWarm = 1;

/** One reading: start, answer small calls, then the load; what it took above what was in use between the two. */
export async function above_idle(bench, contestant, names, cell, options) {
  let server;
  try {
    server = await start_server(bench, contestant.server, names);
    const first = contestant.tools.includes('echo') ? { tool: 'echo' } : { tool: 'get_data', size: '1KB' };
    await load(bench, contestant, server, { ...first, seconds: contestant.peer ? kPeerWarm : 0, connections: 1 });
    await sleep(100);
    const idle = forget_peak(server.pid);
    const result = await load(bench, contestant, server, { ...cell, ...options });
    return { ...result, own_idle_kb: idle, above_idle_kb: status_kib(server.pid, 'VmHWM') - idle };
  } catch (error) {
    return { error: error.message };
  } finally {
    if (server) await stop(server);
  }
}

function cases(quick) {
  const at = (tool, size, connections, more = {}) => ({ section: 'memory', tool, size, connections, ...more });
  const slow = (tool) => ({ section: 'slow', tool, size: '10MB', connections: kSlow.connections });
  if (quick) return [at('cached', '10MB', 8), at('get_data', '10MB', 8), slow('cached'), slow('get_data')];
  const one_and_many = [1, 8, 64].flatMap((n) => ['cached', 'file', 'get_data'].map((tool) => at(tool, '10MB', n)));
  const longer = ['cached', 'file', 'get_data'].map((tool) => at(tool, '20MB', 1));
  return [
    at('cached', '1MB', 8),
    at('get_data', '1MB', 8),
    ...one_and_many,
    ...longer,
    slow('cached'),
    slow('get_data'),
  ];
}

function takes_part(contestant, cell, quick) {
  if (contestant.noise) return false;
  if (cell.tool === 'file') return contestant.server === 'sluice';
  if (!contestant.tools.includes(cell.tool)) return false;
  if (contestant.peer) return !quick && cell.connections !== 64 && cell.size !== '20MB';
  return true;
}

export async function memory(bench) {
  const { quick } = bench.settings;
  for (const cell of cases(quick).filter(bench.wants)) {
    const options = cell.section === 'slow' ? { ...kSlow, calls: kSlow.connections, seconds: 120 } : { seconds: 0.4 };
    const { section, ...call } = cell;
    for (const contestant of contestants.filter((c) => bench.is_here(c) && takes_part(c, cell, quick))) {
      const times = contestant.peer || quick || section === 'slow' ? 1 : 2;
      for (let round = 0; round < times; ++round) {
        const result = await above_idle(bench, contestant, [cell.size], call, options);
        bench.record({ ...result, ...cell, who: contestant.who, round });
      }
    }
  }
}
