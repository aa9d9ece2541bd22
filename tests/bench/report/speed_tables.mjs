// Calls, megabytes, latency and CPU, and how sluice stands beside the limits.

import { beside } from '../harness/contestants.mjs';
import { figure, matching, ratio } from '../harness/statistics.mjs';
import { number } from './numbers.mjs';
import { by_contestant, cell_name, filled, titles } from './shape.mjs';

const cells_of = (tool) =>
  (tool === 'echo' ? [''] : ['1KB', '100KB', '1MB', '10MB']).flatMap((size) =>
    [1, 8, 64].map((connections) => ({ tool, size, connections })),
  );

const columns = (readings, cells, key, head = cell_name) =>
  cells.map((cell) => ({
    head: head(cell),
    value: (who) => figure(readings, { section: 'speed', ...cell, who }, key),
  }));

const without_tool = ({ size, connections }) => cell_name({ tool: '', size, connections });

/** Where CPU and first bytes are shown. */
const chosen = [
  ['echo', '', 8],
  ['echo', '', 64],
  ['cached', '1MB', 8],
  ['get_data', '1MB', 8],
  ['cached', '10MB', 1],
  ['cached', '10MB', 8],
  ['get_data', '10MB', 1],
  ['get_data', '10MB', 8],
].map(([tool, size, connections]) => ({ tool, size, connections }));

function ratio_table(readings) {
  const cells = ['echo', '1KB', '100KB', '1MB', '10MB'].flatMap((size) =>
    [1, 8, 64].map((n) => ({ size, connections: n })),
  );
  const rows = ['echo', 'cached', 'get_data'].flatMap((tool) =>
    beside[tool].map(([who, limit]) => [
      `${cell_name({ tool })}, ${titles.get(who)}`,
      ...cells.map(({ size, connections }) => {
        if ((tool === 'echo') !== (size === 'echo')) return '';
        const wanted = { section: 'speed', tool, size: tool === 'echo' ? '' : size, connections };
        return number(ratio(readings, wanted, who, limit, 'calls_per_s'));
      }),
    ]),
  );
  const head = ({ size, connections }) => (size === 'echo' ? `x${connections}` : without_tool({ size, connections }));
  return filled({ title: 'Speed of sluice, 1 being the limit', heads: ['', ...cells.map(head)], rows });
}

export function speed_tables(readings) {
  const table = (title, tool, key, note) =>
    by_contestant(title, columns(readings, cells_of(tool), key, without_tool), note);
  return [
    table('Small call (echo), calls/s', 'echo', 'calls_per_s'),
    table('Small call (echo), p99 in ms', 'echo', 'p99_ms'),
    table('get_data_cached, MB/s', 'cached', 'payload_mb_per_s', 'The Toolbox has it as a row of its SQLite source.'),
    table('get_data (from an HTTP upstream), MB/s', 'get_data', 'payload_mb_per_s'),
    ratio_table(readings),
    by_contestant('CPU of the server, ms per call', columns(readings, chosen, 'cpu_ms_per_call')),
    by_contestant('Time to the first byte, median, ms', columns(readings, chosen, 'first_byte_p50_ms')),
  ];
}

/** How far two processes of the same program seem to be apart. */
export function noise_table(readings) {
  const cells = [
    ['echo', ''],
    ['cached', '10MB'],
    ['get_data', '10MB'],
  ];
  const rows = cells.map(([tool, size]) => {
    const cell = { tool, size, connections: 8 };
    const wanted = { section: 'speed', ...cell };
    const beside_itself = (key) => number(ratio(readings, wanted, 'sluice-again', 'sluice-json', key));
    const rates = matching(readings, { ...wanted, who: 'sluice-json' }).map((r) => r.calls_per_s);
    const middle = figure(readings, { ...wanted, who: 'sluice-json' }, 'calls_per_s');
    const spread =
      middle === undefined ? '' : `${number(Math.min(...rates) / middle)} to ${number(Math.max(...rates) / middle)}`;
    return [cell_name(cell), beside_itself('calls_per_s'), beside_itself('cpu_ms_per_call'), spread];
  });
  const heads = ['', 'calls/s, ratio', 'CPU per call, ratio', 'single readings beside their median'];
  return filled({ title: 'Noise: sluice beside a second process of itself (A/A)', heads, rows });
}
