#!/usr/bin/env node
// Measures a build of sluice beside the limits of this machine and beside its peers, and prints the figures as tables:
//
//   node tests/bench/run.mjs build/bench [--quick] [--only PATTERN] [--rounds N] [--no-peers] [--json FILE] [--markdown FILE]
//   node tests/bench/run.mjs --from FILE [--markdown FILE]       the tables again, from what --json wrote
//
// Servers are pinned to core 0; the load client and the upstream share core 1. PATTERN is a regular expression over lines such
// as "speed cached 10MB x8", "memory", "slow", "heap", "growth", "streams", "start".

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { load_average, machine } from './harness/machine.mjs';
import { kLoadCore } from './harness/load.mjs';
import { sizes, write_payloads } from './harness/payloads.mjs';
import { install_peers, peer_versions } from './harness/peers.mjs';
import { start, stop_all } from './harness/processes.mjs';
import { calls_beside_streams, cpu_as_results_grow, memory_as_calls_grow } from './measures/growth.mjs';
import { heap } from './measures/heap.mjs';
import { memory } from './measures/memory.mjs';
import { speed } from './measures/speed.mjs';
import { starting } from './measures/start.mjs';
import { goals_table } from './report/goals.mjs';
import { failures, tables } from './report/tables.mjs';
import { as_markdown, as_text } from './report/write.mjs';

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: flag, only: text, rounds: text, 'no-peers': flag, json: text, markdown: text, from: text },
});
const source = new URL('../..', import.meta.url).pathname;
const build = resolve(positionals[0] ?? join(source, 'build/bench'));

/** What a section calls its measures by, in the words of --only. */
const sections = [
  ['start', starting],
  ['speed', speed],
  ['memory slow', memory],
  ['heap', heap],
  ['growth', cpu_as_results_grow],
  ['growth', memory_as_calls_grow],
  ['streams', calls_beside_streams],
];

async function measure() {
  const settings = {
    quick: given.quick,
    rounds: Number(given.rounds ?? (given.quick ? 2 : 3)),
    seconds: given.quick ? 0.4 : 0.8,
    peer_warm: given.quick ? 1.5 : 5,
    only: given.only,
  };
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const begun = Date.now();
  const readings = [];
  const left_out = [];
  try {
    const why_no_peers = given['no-peers'] ? 'peers: --no-peers' : await install_peers();
    if (why_no_peers) left_out.push(why_no_peers);
    const at = machine(build, source);
    const upstream = await start([join(build, 'tests/support/upstream/upstream'), '--port', '0'], {
      core: kLoadCore,
      ready: /port (\d+)/,
    });
    await write_payloads(folder, upstream.port, Object.keys(sizes));
    const only = new RegExp(given.only ?? '');
    let name = '';
    const bench = {
      build,
      source,
      folder,
      upstream,
      settings,
      is_here: (contestant) => !(contestant.peer && why_no_peers),
      wants: (cell) =>
        only.test(
          [name, cell.section, cell.tool, cell.size, cell.connections && `x${cell.connections}`]
            .filter(Boolean)
            .join(' '),
        ),
      record: (reading) => {
        readings.push(reading);
        if (process.stderr.isTTY)
          process.stderr.write(
            `\r\x1b[K${readings.length} readings, ${Math.round((Date.now() - begun) / 1000)} s: ${name} ${reading.tool ?? ''} ${reading.size ?? ''} ${reading.who}`,
          );
      },
    };
    for (const [section, run_section] of sections) {
      name = section;
      const before = Date.now();
      await run_section(bench);
      process.stderr.write(
        `${process.stderr.isTTY ? '\r\x1b[K' : ''}${section}: ${Math.round((Date.now() - before) / 1000)} s\n`,
      );
    }
    at.load_at_end = load_average();
    at.seconds = Math.round((Date.now() - begun) / 1000);
    return { machine: at, settings, peers: why_no_peers ? undefined : peer_versions(), left_out, readings };
  } finally {
    stop_all();
    rmSync(folder, { recursive: true });
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stop_all();
    process.exit(130);
  });
}

const measured = given.from ? JSON.parse(readFileSync(given.from, 'utf8')) : await measure();
if (given.json) writeFileSync(given.json, `${JSON.stringify(measured, null, 1)}\n`);
const report = {
  ...measured,
  tables: [goals_table(measured.readings), ...tables(measured.readings)],
  failures: [...measured.left_out, ...failures(measured.readings)],
};
console.log(as_text(report));
if (given.markdown) writeFileSync(given.markdown, as_markdown(report));
