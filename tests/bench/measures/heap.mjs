// What a warm call asks the heap for, counted by a preloaded malloc. From two runs of different length on one connection each,
// so that what a connection costs falls out.

import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { named } from '../harness/contestants.mjs';
import { load } from '../harness/load.mjs';
import { start_server } from '../harness/servers.mjs';
import { stop } from '../harness/processes.mjs';

const kShort = 20;
const kLong = 60;

export async function heap(bench) {
  const names = bench.settings.quick ? ['1KB', '10MB'] : ['1KB', '100KB', '1MB', '10MB', '20MB'];
  const tools = ['cached', 'file', 'get_data'].flatMap((tool) => names.map((size) => ({ tool, size })));
  const cells = [{ tool: 'echo', size: '' }, ...tools];
  const wanted = cells.filter((cell) => bench.wants({ section: 'heap', ...cell }));
  if (wanted.length === 0) return;
  const file = join(bench.folder, 'counts');
  const env = { LD_PRELOAD: join(bench.build, 'libcount_malloc.so'), COUNT_MALLOC_FILE: file };
  const server = await start_server(bench, 'sluice', names, env);
  const counted = () => {
    const bytes = readFileSync(file);
    return { calls: Number(bytes.readBigUInt64LE(0)), bytes: Number(bytes.readBigUInt64LE(8)) };
  };
  for (const who of ['sluice-sse', 'sluice-json']) {
    const cost_of = async (cell, calls) => {
      const before = counted();
      const { error } = await load(bench, named(who), server, { ...cell, connections: 1, seconds: 60, calls });
      const after = counted();
      return { error, calls: after.calls - before.calls, bytes: after.bytes - before.bytes };
    };
    for (const cell of wanted) {
      await cost_of(cell, kLong); // warm
      for (let round = 0; round < 3; ++round) {
        const short = await cost_of(cell, kShort);
        const long = await cost_of(cell, kLong);
        const per_call = (key) => (long[key] - short[key]) / (kLong - kShort);
        const error = short.error ?? long.error;
        bench.record({
          section: 'heap',
          ...cell,
          who,
          round,
          allocations: per_call('calls'),
          bytes: per_call('bytes'),
          error,
        });
      }
    }
  }
  await stop(server);
}
