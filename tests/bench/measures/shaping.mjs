// What it costs to make a result smaller, beside passing it as it is: megabytes of the source a second, and CPU for each.

import { named } from '../harness/contestants.mjs';
import { load } from '../harness/load.mjs';
import { shapings } from '../harness/shapings.mjs';
import { start_server } from '../harness/servers.mjs';
import { stop } from '../harness/processes.mjs';

/** Steps take turns, there and back. */
export async function shaping(bench) {
  const cells = Object.keys(shapings).map((name) => ({ section: 'shaping', tool: `shaped_${name}`, size: '10MB' }));
  const wanted = cells.filter(bench.wants);
  if (wanted.length === 0) return;
  const server = await start_server(bench, 'sluice', ['10MB']);
  // What comes is not the payload, of which the megabytes are.
  const contestant = { ...named('sluice-json'), own_text: true };
  for (let round = 0; round < bench.settings.rounds; ++round) {
    for (const [turn, cell] of [...wanted, ...[...wanted].reverse()].entries()) {
      const options = { ...cell, section: undefined, connections: 1, seconds: bench.settings.seconds, warm: 0.1 };
      const result = await load(bench, contestant, server, options);
      bench.record({ ...result, ...cell, who: contestant.who, connections: 1, round, turn });
    }
  }
  await stop(server);
}
