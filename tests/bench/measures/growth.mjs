// What it costs as work grows: larger results, more of them at once, more idle event streams beside the calls.

import { named } from '../harness/contestants.mjs';
import { load } from '../harness/load.mjs';
import { start_server } from '../harness/servers.mjs';
import { stop } from '../harness/processes.mjs';
import { above_idle } from './memory.mjs';

const kForms = ['sluice-sse', 'sluice-json'];

/** CPU per MB from 100 KB to 100 MB. Sizes take turns, there and back. */
export async function cpu_as_results_grow(bench) {
  const names = ['100KB', '1MB', '10MB', '100MB'];
  const cells = ['cached', 'get_data'].flatMap((tool) => kForms.map((who) => ({ section: 'cpu_growth', tool, who })));
  const wanted = cells.filter(bench.wants);
  if (wanted.length === 0) return;
  const server = await start_server(bench, 'sluice', names);
  const seconds = bench.settings.quick ? 0.5 : 1;
  for (let round = 0; round < (bench.settings.quick ? 1 : 2); ++round) {
    for (const cell of wanted) {
      for (const [turn, size] of [...names, ...[...names].reverse()].entries()) {
        const options = { tool: cell.tool, size, connections: 1, seconds, warm: 0.1 };
        const result = await load(bench, named(cell.who), server, options);
        bench.record({ ...result, ...cell, size, connections: 1, round, turn });
      }
    }
  }
  await stop(server);
}

/** Memory from 1 to 1,000 calls of 1 MB at once. */
export async function memory_as_calls_grow(bench) {
  const counts = bench.settings.quick ? [1, 100, 1000] : [1, 10, 100, 300, 1000];
  for (const tool of ['cached', 'get_data']) {
    for (const who of ['sluice-sse', 'sluice-json']) {
      if (bench.settings.quick && who === 'sluice-sse') continue;
      for (const connections of counts) {
        const cell = { section: 'memory_growth', tool, size: '1MB', connections, who };
        if (!bench.wants(cell)) continue;
        const result = await above_idle(
          bench,
          named(who),
          ['1MB'],
          { tool, size: '1MB', connections },
          { seconds: 0.3 },
        );
        bench.record({ ...result, ...cell, round: 0 });
      }
    }
  }
}

/** Small calls beside 0 to 10,000 idle event streams, of sessions and of listeners, and what each stream takes. */
export async function calls_beside_streams(bench) {
  const counts = bench.settings.quick ? [0, 1000, 10000] : [0, 1, 100, 1000, 10000];
  const listeners = bench.settings.quick ? [10000] : [1000, 10000];
  const cells = [
    ...counts.map((streams) => ({ section: 'streams', streams })),
    ...listeners.map((streams) => ({ section: 'listeners', streams })),
  ];
  for (let round = 0; round < (bench.settings.quick ? 1 : 3); ++round) {
    for (const { section, streams } of cells) {
      const cell = { section, tool: 'echo', who: 'sluice-sse', streams };
      if (!bench.wants(cell)) continue;
      const server = await start_server(bench, 'sluice', ['1KB']);
      await load(bench, named(cell.who), server, { tool: 'echo', connections: 8, seconds: 0.3 });
      const options = {
        tool: 'echo',
        connections: 8,
        seconds: bench.settings.seconds,
        warm: 0.1,
        streams: streams || undefined,
        'stream-kind': section === 'listeners' ? 'listen' : undefined,
      };
      const result = await load(bench, named(cell.who), server, options);
      bench.record({ ...result, ...cell, round });
      await stop(server);
    }
  }
}
