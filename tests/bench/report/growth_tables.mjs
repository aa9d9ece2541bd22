// What it costs as work grows, and to make results smaller.

import { figure } from '../harness/statistics.mjs';
import { shapings } from '../harness/shapings.mjs';
import { mb, number } from './numbers.mjs';
import { cell_name, filled, titles } from './shape.mjs';

/** A row for each tool and form, a column for each of `steps`. */
function grown(title, readings, section, steps, value) {
  const rows = ['cached', 'get_data'].flatMap((tool) =>
    ['sluice-sse', 'sluice-json'].map((who) => [
      `${tool}, ${titles.get(who)}`,
      ...steps.map(({ wanted }) => number(value({ section, tool, who, ...wanted }))),
    ]),
  );
  return filled({ title, heads: ['', ...steps.map(({ head }) => head)], rows });
}

export function growth_tables(readings) {
  const sizes = ['100KB', '1MB', '10MB', '100MB'].map((size) => ({ head: cell_name({ size }), wanted: { size } }));
  const counts = [1, 10, 100, 300, 1000].map((n) => ({ head: n.toLocaleString('en-US'), wanted: { connections: n } }));
  const streams = [0, 1, 100, 1000, 10000];
  const beside = (key, section = 'streams') =>
    streams.map((n) => figure(readings, { section, streams: n }, key));
  const kib_a_stream = (section) =>
    beside('stream_bytes', section).map((bytes, i) => (streams[i] >= 100 ? bytes / 1024 : undefined));
  return [
    grown('CPU of the server as results grow, ms per MB (one connection)', readings, 'cpu_growth', sizes, (wanted) =>
      figure(readings, wanted, 'cpu_ms_per_mb'),
    ),
    grown('Peak memory above idle as calls of 1 MB at once grow, MB', readings, 'memory_growth', counts, (wanted) =>
      mb(figure(readings, wanted, 'above_idle_kb')),
    ),
    filled({
      title: 'Results made smaller (a file of 10 MB, one connection), by what the source has',
      heads: ['', 'MB/s', 'CPU, ms per MB', 'of passing it'],
      rows: Object.entries(shapings).map(([name, keys]) => {
        const of = (key, tool = name) => figure(readings, { section: 'shaping', tool: `shaped_${tool}` }, key);
        return [
          keys || 'as it is',
          number(of('payload_mb_per_s')),
          number(of('cpu_ms_per_mb')),
          number(of('payload_mb_per_s') / of('payload_mb_per_s', 'pass')),
        ];
      }),
    }),
    filled({
      title: 'Small calls on 8 connections beside idle event streams',
      heads: ['idle streams', ...streams.map((n) => n.toLocaleString('en-US'))],
      rows: [
        ['calls/s', ...beside('calls_per_s').map(number)],
        ['p99, ms', ...beside('p99_ms').map(number)],
        ['memory, KiB a stream', ...kib_a_stream('streams').map(number)],
        ['calls/s beside listeners', ...beside('calls_per_s', 'listeners').map(number)],
        ['memory, KiB a listener', ...kib_a_stream('listeners').map(number)],
      ],
    }),
  ];
}
