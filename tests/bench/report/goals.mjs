// What is aimed at, beside what was measured. A goal is reached where its worst figure reaches it.

import { beside } from '../harness/contestants.mjs';
import { figure, largest, matching, ratio } from '../harness/statistics.mjs';
import { mb, mib, number } from './numbers.mjs';

const form = (who) => (who.endsWith('-sse') ? 'SSE' : 'JSON');

/** Beside the limit, for each number of connections and each form. */
function beside_limit(readings, tool, size, counts, key) {
  return counts.flatMap((connections) =>
    beside[tool].filter(([who]) => who.startsWith('sluice')).map(([who, limit]) => ({
      label: `x${connections} ${form(who)}`,
      value: ratio(readings, { section: 'speed', tool, size, connections }, who, limit, key),
    })),
  );
}

const of_forms = (value) => ['sluice-sse', 'sluice-json'].map((who) => ({ label: form(who), value: value(who) }));
const at_least = (bound) => ({ reached: (value) => value >= bound, worst: Math.min });
const at_most = (bound) => ({ reached: (value) => value <= bound, worst: Math.max });

function cpu_growth(readings) {
  return ['cached', 'get_data'].flatMap((tool) =>
    of_forms((who) => {
      const at = (size) => figure(readings, { section: 'cpu_growth', tool, who, size }, 'cpu_ms_per_mb');
      return (at('100MB') / at('100KB') - 1) * 100;
    }).map(({ label, value }) => ({ label: `${tool} ${label}`, value })),
  );
}

/** The most at any size, of the whole call or of what it takes more than one of 1 KB does: allocations, which are
 *  whole numbers, since bytes are those of the blocks and differ by how a date or a length is written. */
function heap(readings, key, above) {
  const most = (tool, who) => {
    const of = (size) => figure(readings, { section: 'heap', tool, who, size }, key);
    const sizes = new Set(matching(readings, { section: 'heap', tool, who }).map((r) => r.size));
    const values = [...sizes].map((size) => Math.round(of(size) - (above ? of(above) : 0)));
    return values.length > 0 ? Math.max(...values) : undefined;
  };
  return ['cached', 'file', 'get_data'].flatMap((tool) =>
    of_forms((who) => most(tool, who)).map(({ label, value }) => ({ label: `${tool} ${label}`, value })),
  );
}

const slow = (readings, key) =>
  ['cached', 'get_data'].flatMap((tool) =>
    of_forms((who) => mb(largest(readings, { section: 'slow', tool, who }, key))).map(({ label, value }) => ({
      label: `${tool} ${label}`,
      value,
    })),
  );

const peak = (readings) =>
  ['cached', 'get_data'].flatMap((tool) =>
    of_forms((who) =>
      mb(largest(readings, { section: 'memory', tool, size: '10MB', connections: 8, who }, 'above_idle_kb')),
    ).map(({ label, value }) => ({ label: `${tool} ${label}`, value })),
  );

const shipped = (readings, key) => figure(readings, { section: 'start', who: 'sluice-shipped' }, key);

/** Each goal as { measure, goal, figures: [{ label, value }], worst, reached }; reached is undefined where nothing was measured. */
export function goals(readings) {
  const stream_bytes = [
    ['streams', 1000],
    ['streams', 10000],
    ['listeners', 10000],
  ].map(([section, streams]) => ({
    label: `${streams.toLocaleString('en-US')} ${section}`,
    value: figure(readings, { section, streams }, 'stream_bytes') / 1024,
  }));
  const cpu_small = [8, 64].flatMap((connections) =>
    of_forms((who) =>
      figure(readings, { section: 'speed', tool: 'echo', size: '', connections, who }, 'cpu_ms_per_call'),
    ).map(({ label, value }) => ({ label: `x${connections} ${label}`, value })),
  );
  const list = [
    [
      '`get_data_cached` 10 MB, MB/s beside the ready-made bytes',
      'at least 0.95',
      at_least(0.95),
      beside_limit(readings, 'cached', '10MB', [1, 8], 'payload_mb_per_s'),
    ],
    [
      '`get_data` 10 MB, MB/s beside the minimal proxy',
      'at least 0.95',
      at_least(0.95),
      beside_limit(readings, 'get_data', '10MB', [1, 8], 'payload_mb_per_s'),
    ],
    [
      'small call, calls/s beside the ready-made bytes',
      'at least 0.7',
      at_least(0.7),
      beside_limit(readings, 'echo', '', [8, 64], 'calls_per_s'),
    ],
    ['CPU per small call, ms', 'at most 0.025', at_most(0.025), cpu_small],
    [
      'CPU per 10 MB cached call, beside the ready-made bytes',
      'at most 1.2',
      at_most(1.2),
      beside_limit(readings, 'cached', '10MB', [1, 8], 'cpu_ms_per_call'),
    ],
    ['peak memory above idle, 8 concurrent 10 MB calls, MB', 'at most 3', at_most(3), peak(readings)],
    [
      'peak memory above idle, 32 slow readers of 10 MB, MB',
      'at most 12',
      at_most(12),
      slow(readings, 'above_idle_kb'),
    ],
    ['socket memory of 32 slow readers of 10 MB, MB', 'at most 16', at_most(16), slow(readings, 'socket_peak_kb')],
    [
      'heap of a warm call, bytes, the most at any size',
      '',
      { reached: () => undefined, worst: Math.max },
      heap(readings, 'bytes'),
    ],
    [
      'allocations on the payload path: those above a call of 1 KB, at any size',
      '0',
      at_most(0),
      heap(readings, 'allocations', '1KB'),
    ],
    ['CPU per MB, 100 MB against 100 KB, % more', 'at most 10', at_most(10), cpu_growth(readings)],
    [
      'idle memory of the process, default configuration, MiB',
      'at most 10',
      at_most(10),
      [{ label: '', value: mib(shipped(readings, 'idle_kb')) }],
    ],
    [
      'start to first answer, ms',
      'at most 50',
      at_most(50),
      [{ label: '', value: shipped(readings, 'first_answer_ms') }],
    ],
    ['memory per idle event stream, KiB', 'at most 8', at_most(8), stream_bytes],
  ];
  return list.map(([measure, goal, { worst, reached }, all]) => {
    const figures = all.filter(({ value }) => value !== undefined && Number.isFinite(value));
    const value = figures.length > 0 ? worst(...figures.map((f) => f.value)) : undefined;
    return { measure, goal, figures, value, reached: value === undefined ? undefined : reached(value) };
  });
}

/** The goals as one more table. */
export function goals_table(readings) {
  const verdict = { true: 'yes', false: 'no', undefined: '' };
  return {
    title: 'Goals',
    heads: ['measure', 'goal', 'measured (the worst)', 'reached', 'all of them'],
    rows: goals(readings).map(({ measure, goal, figures, value, reached }) => [
      measure,
      goal,
      number(value),
      verdict[reached],
      figures.length > 1 ? figures.map((f) => `${f.label}: ${number(f.value)}`).join(', ') : '',
    ]),
  };
}
