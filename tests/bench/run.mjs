#!/usr/bin/env node
// Measures a build of sluice beside the limits of this machine and beside its peers, and prints the figures as tables:
//
//   node tests/bench/run.mjs build/bench [--quick] [--only PATTERN] [--rounds N] [--no-peers]
//                            [--json FILE] [--markdown FILE] [--docs]
//   node tests/bench/run.mjs --from FILE [--markdown FILE] [--docs]       the tables again, from what --json wrote
//
// Servers are pinned to core 0; the load client and the upstream share core 1. PATTERN is a regular expression over lines
// such as "start", "speed echo x8", "speed cached 10MB x1", "memory get_data 10MB x64", "slow cached 10MB x32",
// "heap file 1MB", "cpu_growth cached", "memory_growth get_data 1MB x1000", "streams echo", "shaping shaped_csv 10MB". --docs puts the tables into
// README.md and tests/bench/README.md.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from './harness/bench.mjs';
import { load_average, machine } from './harness/machine.mjs';
import { kLoadCore } from './harness/load.mjs';
import { sizes, write_payloads } from './harness/payloads.mjs';
import { install_peers, peer_versions } from './harness/peers.mjs';
import { start, stop_all } from './harness/processes.mjs';
import { calls_beside_streams, cpu_as_results_grow, memory_as_calls_grow } from './measures/growth.mjs';
import { heap } from './measures/heap.mjs';
import { memory } from './measures/memory.mjs';
import { shaping } from './measures/shaping.mjs';
import { speed } from './measures/speed.mjs';
import { starting } from './measures/start.mjs';
import { goals_table } from './report/goals.mjs';
import { failures, tables } from './report/tables.mjs';
import { put_into_docs } from './report/docs.mjs';
import { as_markdown, as_text } from './report/write.mjs';

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: flag,
    only: text,
    rounds: text,
    'no-peers': flag,
    json: text,
    markdown: text,
    docs: flag,
    from: text,
  },
});
const source = new URL('../..', import.meta.url).pathname;
const build = resolve(positionals[0] ?? join(source, 'build/bench'));

const sections = [starting, speed, memory, heap, cpu_as_results_grow, memory_as_calls_grow, calls_beside_streams, shaping];

async function measure() {
  const settings = {
    quick: given.quick,
    rounds: Number(given.rounds ?? (given.quick ? 2 : 3)),
    seconds: given.quick ? 0.4 : 0.6,
    peer_warm: given.quick ? 1.5 : 5,
    only: given.only,
  };
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    const why_no_peers = given['no-peers'] ? 'peers: --no-peers' : await install_peers();
    const at = machine(build, source);
    const argv = [join(build, 'tests/support/upstream/upstream'), '--port', '0'];
    const upstream = await start(argv, { core: kLoadCore, ready: /port (\d+)/ });
    await write_payloads(folder, upstream.port, Object.keys(sizes));
    const bench = new Bench({ build, source, folder, upstream, settings });
    if (why_no_peers) bench.leave_out_peers(why_no_peers);
    for (const section of sections) {
      // What one section cannot do is no reason to lose the others.
      await section(bench).catch((error) => bench.left_out.push(`${section.name}: ${error.message}`));
    }
    const { readings, left_out, seconds_so_far } = bench;
    const peers = why_no_peers ? undefined : peer_versions();
    return {
      machine: { ...at, load_at_end: load_average(), seconds: seconds_so_far },
      settings,
      peers,
      left_out,
      readings,
    };
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
if (given.docs) put_into_docs(source, report);
