// Calls and megabytes a second, latency, CPU: every contestant on the same call, taking turns as A B C C B A.

import { contestants } from '../harness/contestants.mjs';
import { load } from '../harness/load.mjs';
import { start_server } from '../harness/servers.mjs';
import { stop } from '../harness/processes.mjs';

/** Where the noise is stated: a second process of sluice takes turns with the first. */
const kNoise = new Set(['echo::8', 'cached:10MB:8', 'get_data:10MB:8']);

export function cells(quick) {
  const all = (tool, names, connections) =>
    names.flatMap((size) => connections.map((n) => ({ tool, size, connections: n })));
  if (quick) {
    return [
      ...all('echo', [''], [8, 64]),
      ...all('cached', ['1MB'], [8]),
      ...all('cached', ['10MB'], [1, 8]),
      ...all('get_data', ['1MB'], [8]),
      ...all('get_data', ['10MB'], [1, 8]),
    ];
  }
  const names = ['1KB', '100KB', '1MB', '10MB'];
  return [...all('echo', [''], [1, 8, 64]), ...all('cached', names, [1, 8, 64]), ...all('get_data', names, [1, 8, 64])];
}

/** 64 calls of 10 MB at once take peers minutes and gigabytes; in a quick run peers show themselves at one cell of each kind. */
function peers_take_part(cell, quick) {
  if (quick) return cell.connections === 8 && cell.size !== '10MB';
  return !(cell.size === '10MB' && cell.connections === 64);
}

/** Where a goal is set, all rounds; elsewhere two show enough. */
const kGoals = new Set([
  'echo::8',
  'echo::64',
  ...['cached', 'get_data'].flatMap((t) => [`${t}:10MB:1`, `${t}:10MB:8`]),
]);
const kElsewhere = 2;

function takes_part(contestant, cell, round, quick) {
  if (!contestant.tools.includes(cell.tool)) return false;
  const name = `${cell.tool}:${cell.size}:${cell.connections}`;
  if (round >= kElsewhere && !kGoals.has(name)) return false;
  if (contestant.noise) return kNoise.has(name);
  if (contestant.peer) return round === 0 && peers_take_part(cell, quick);
  return true;
}

/** Starts the servers that `wanted` needs and lets them warm up. */
async function start_all(bench, wanted) {
  const names = [...new Set(wanted.map((cell) => cell.size).filter(Boolean))];
  const servers = new Map();
  for (const contestant of contestants) {
    const { server, peer } = contestant;
    const first = wanted.find((cell) => contestant.tools.includes(cell.tool));
    if (servers.has(server) || !first || !bench.is_here(contestant)) continue;
    try {
      servers.set(server, await start_server(bench, server, names.length > 0 ? names : ['1KB']));
    } catch (error) {
      bench.leave_out(contestant, error.message);
      continue;
    }
    // Compilers that learn while they run get time to; nobody else needs it.
    const seconds = peer ? bench.settings.peer_warm : 0.2;
    await load(bench, contestant, servers.get(server), { tool: first.tool, size: first.size, seconds, connections: 8 });
  }
  return servers;
}

export async function speed(bench) {
  const { quick, rounds, seconds } = bench.settings;
  const wanted = cells(quick).filter((cell) => bench.wants({ section: 'speed', ...cell }));
  const servers = await start_all(bench, wanted);
  for (let round = 0; round < rounds; ++round) {
    for (const cell of wanted) {
      const line = contestants.filter((c) => bench.is_here(c) && takes_part(c, cell, round, quick));
      for (const [turn, contestant] of [...line, ...[...line].reverse()].entries()) {
        const result = await load(bench, contestant, servers.get(contestant.server), { ...cell, seconds, warm: 0.1 });
        bench.record({ ...result, section: 'speed', ...cell, who: contestant.who, round, turn });
      }
    }
  }
  for (const server of servers.values()) await stop(server);
}
