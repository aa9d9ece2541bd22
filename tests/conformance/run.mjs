// Runs the official conformance suite against sluice: node run.mjs <sluice> <fixture plug-in> [--readme] [revision ...]
//
// --readme puts the table of all revisions into the README.
//
// Each revision is run on its own, at its own wire, with its own baseline: baseline-<revision>.yaml lists what is known
// to fail. A failure that is not listed ends the run with an error, and so does an entry that passes: entries go
// when what they stand for has been built, and none are added.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const here = dirname(fileURLToPath(import.meta.url));
const results = join(here, 'results');
const suite = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js');

// What conformance to the revision requires, and besides what the suite runs without scoring it. There is no such
// list for the first.
const revisions = {
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2026-07-28': ['--requirements', '2026-07-28'],
};

function start_server(sluice, plugin) {
  const spool = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
  const server = spawn(sluice, ['serve', '-c', join(here, 'fixture.yaml')], {
    env: { ...process.env, CONFORMANCE_PLUGIN: plugin, CONFORMANCE_SPOOL: spool },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = [];
  const exited = new Promise((resolve) => server.once('exit', (code, signal) => {
    rmSync(spool, { recursive: true });
    resolve({ code, signal });
  }));
  const url = new Promise((resolve, reject) => {
    createInterface({ input: server.stderr }).on('line', (line) => {
      log.push(line);
      const found = / (http:\/\/\S+)/.exec(line);
      if (found && line.includes('serving')) resolve(found[1]);
    });
    exited.then(() => reject(new Error(`sluice ended:\n${log.join('\n')}`)));
  });
  return { server, url, exited, log };
}

const baseline_of = (revision) => join(here, `baseline-${revision}.yaml`);

function run_suite(url, revision, folder) {
  return new Promise((resolve) => {
    const options = ['--url', url, ...revisions[revision], '--expected-failures', baseline_of(revision), '-o', folder];
    const child = spawn(process.execPath, [suite, 'server', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
    child.once('close', (code) => resolve({ code, output }));
  });
}

// One verdict for each check, the worst it got. A warning is a failure, as for the suite itself.
function verdicts(checks) {
  const rank = ['SKIPPED', 'SUCCESS', 'WARNING', 'FAILURE'];
  const found = new Map();
  for (const check of checks) {
    const known = found.get(check.id);
    if (rank.includes(check.status) && !(known && rank.indexOf(known.status) >= rank.indexOf(check.status)))
      found.set(check.id, check);
  }
  return found;
}

function read_results(folder) {
  return readdirSync(folder).sort().map((name) => ({
    scenario: /^server-(.*)-\d{4}-\d\d-\d\dT.*$/.exec(name)[1],
    checks: verdicts(JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))),
  }));
}

// `scenario` stands for all its checks, `scenario:check` for one.
function read_baseline(revision) {
  return new Set(parse(readFileSync(baseline_of(revision), 'utf8'))?.server ?? []);
}

function compare(scenarios, baseline) {
  const complaints = [];
  const met = new Set();
  const rows = scenarios.map(({ scenario, checks }) => {
    const all = [...checks.values()];
    const failed = all.filter((check) => ['WARNING', 'FAILURE'].includes(check.status));
    const is_known = (check) => baseline.has(scenario) || baseline.has(`${scenario}:${check.id}`);
    for (const check of failed) {
      if (!is_known(check)) complaints.push(`${scenario}:${check.id} failed: ${check.errorMessage}`);
      met.add(baseline.has(scenario) ? scenario : `${scenario}:${check.id}`);
    }
    const passed = all.filter((check) => check.status === 'SUCCESS').length;
    const others = all.length - passed - failed.length;
    let verdict = failed.every(is_known) ? 'known to fail' : 'FAILED';
    if (failed.length === 0) verdict = passed > 0 ? 'passed' : 'nothing to check';
    return { scenario, passed, failed: failed.length, others, verdict };
  });
  for (const entry of baseline)
    if (!met.has(entry)) complaints.push(`${entry} is in the baseline, but did not fail: take it out`);
  return { rows, complaints };
}

function print_table(revision, rows) {
  const width = Math.max(...rows.map((row) => row.scenario.length));
  console.log(`\n${revision.padEnd(width)}  passed  failed  skipped`);
  for (const { scenario, passed, failed, others, verdict } of rows)
    console.log(`${scenario.padEnd(width)}  ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${String(others).padStart(7)}  ${verdict}`);
  const count = (verdict) => rows.filter((row) => row.verdict === verdict).length;
  console.log(`${rows.length} scenarios: ${count('passed')} passed, ${count('nothing to check')} had nothing to check, ${count('known to fail')} known to fail, ${count('FAILED')} failed`);
}

const names = {
  '2025-06-18': '2025-06-18 (`--suite all`)',
  '2025-11-25': '2025-11-25 (`--requirements`)',
  '2026-07-28': '2026-07-28 (`--requirements`)',
};

function write_readme(tables) {
  const file = join(here, '../../README.md');
  const [begin, end] = ['<!-- conformance -->\n', '<!-- /conformance -->'];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error('README.md has no place for the table');
  const lines = Object.entries(tables).map(([revision, rows]) => {
    const count = (verdict) => rows.filter((row) => row.verdict === verdict).length;
    return `| ${names[revision]} | ${rows.length} | ${count('passed')} | ${count('nothing to check')} | ${count('known to fail') + count('FAILED')} |`;
  });
  const table = ['| revision | scenarios | passed | not applicable | failed |', '|---|---|---|---|---|', ...lines];
  writeFileSync(file, `${text.slice(0, from)}${table.join('\n')}\n${text.slice(to)}`);
}

async function main([sluice, plugin, ...options]) {
  const to_readme = options.includes('--readme');
  const wanted = options.filter((option) => option !== '--readme');
  const tables = {};
  if (!sluice || !plugin || wanted.some((revision) => !revisions[revision])) {
    console.error(`usage: run.mjs <sluice> <fixture plug-in> [${Object.keys(revisions).join('|')} ...]`);
    return 2;
  }
  const { server, url, exited, log } = start_server(sluice, plugin);
  const complaints = [];
  try {
    const address = await url;
    for (const revision of wanted.length > 0 ? wanted : Object.keys(revisions)) {
      const folder = join(results, revision);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const { code, output } = await run_suite(address, revision, folder);
      const scenarios = read_results(folder);
      if (scenarios.length === 0) throw new Error(`the suite ran nothing:\n${output}`);
      const verdict = compare(scenarios, read_baseline(revision));
      print_table(revision, verdict.rows);
      tables[revision] = verdict.rows;
      complaints.push(...verdict.complaints.map((complaint) => `${revision}: ${complaint}`));
      // The suite's own judgement, which leaves out what it does not score.
      if (code !== 0 && verdict.complaints.length === 0)
        complaints.push(`${revision}: the suite ended with ${code}:\n${output.slice(-2000)}`);
    }
  } finally {
    server.kill('SIGTERM');
  }
  if (to_readme) write_readme(tables);
  const { code } = await exited;
  if (code !== 0) complaints.push(`sluice did not stop as it should (${code}):\n${log.slice(-20).join('\n')}`);
  console.log(complaints.length > 0 ? `\n${complaints.join('\n')}` : '\nEverything is as the baselines say.');
  return complaints.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
