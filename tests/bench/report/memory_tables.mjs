// Peaks above idle, kernel memory, the heap, start and idle.

import { figure, largest, matching } from '../harness/statistics.mjs';
import { mb, mib, number } from './numbers.mjs';
import { by_contestant, cell_name, filled, titles } from './shape.mjs';

function peak_table(readings) {
  const tools = ['cached', 'file', 'get_data'];
  const cells = [
    { tool: 'cached', size: '1MB', connections: 8 },
    { tool: 'get_data', size: '1MB', connections: 8 },
    ...tools.flatMap((tool) => [1, 8, 64].map((connections) => ({ tool, size: '10MB', connections }))),
    ...tools.map((tool) => ({ tool, size: '20MB', connections: 1 })),
  ];
  return by_contestant(
    'Peak memory above idle, MB',
    cells.map((cell) => ({
      head: cell_name(cell),
      value: (who) => mb(largest(readings, { section: 'memory', ...cell, who }, 'above_idle_kb')),
    })),
    'The largest of the readings, each with a fresh process that answered small calls first.',
  );
}

function slow_table(readings) {
  const of = (tool, key) => (who) => mb(largest(readings, { section: 'slow', tool, who }, key));
  return by_contestant(
    '32 slow readers of 10 MB each, 112 MB/s together: peak above idle, MB',
    ['cached', 'get_data'].flatMap((tool) => [
      { head: `${tool}: memory`, value: of(tool, 'above_idle_kb') },
      { head: `${tool}: socket memory`, value: of(tool, 'socket_peak_kb') },
    ]),
    "Socket memory is the kernel's, for the sockets of the server on both legs; it is no part of the memory beside it.",
  );
}

function heap_table(readings) {
  const sizes = ['', '1KB', '100KB', '1MB', '10MB', '20MB'];
  const rows = ['echo', 'cached', 'file', 'get_data'].flatMap((tool) =>
    ['sluice-sse', 'sluice-json'].map((who) => [
      `${cell_name({ tool })}, ${titles.get(who)}`,
      ...sizes.map((size) => {
        const wanted = { section: 'heap', tool, size, who };
        if (matching(readings, wanted).length === 0) return '';
        const allocations = Number(figure(readings, wanted, 'allocations').toFixed(1));
        return `${allocations} (${Math.round(figure(readings, wanted, 'bytes'))})`;
      }),
    ]),
  );
  const heads = ['', ...sizes.map((size) => (size === '' ? 'small call' : cell_name({ size })))];
  return filled({ title: 'Heap per warm call of sluice: allocations (bytes)', heads, rows });
}

function start_table(readings) {
  const of = (key) => (who) => figure(readings, { section: 'start', who }, key);
  return by_contestant('Start and idle', [
    { head: 'start to first answer, ms', value: of('first_answer_ms') },
    { head: 'idle memory, MiB', value: (who) => mib(of('idle_kb')(who)) },
    { head: 'of it anonymous, MiB', value: (who) => mib(of('anonymous_kb')(who)) },
  ]);
}

export const memory_tables = (readings) =>
  [peak_table, slow_table, heap_table, start_table].map((table) => table(readings));
