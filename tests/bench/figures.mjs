#!/usr/bin/env node
// Measures a build of sluice and prints the figures as a table: node tests/bench/figures.mjs build/bench [--rounds 3]
// The server is pinned to core 0; the load client and the upstream to core 1. Medians over the rounds, which
// take turns so that a busy moment of the machine does not fall on one line alone.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const build = resolve(process.argv[2] ?? 'build/bench');
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 3) || 3;
const seconds = 2;
const source = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'sluice-figures-'));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The reference payload, whole rows up to `bytes`. */
function payload(bytes) {
  const rows = [];
  let size = 60;
  for (let i = 0; size < bytes; ++i) {
    const month = String((i % 12) + 1).padStart(2, '0');
    const row = `["2026${month}01","${2300 + (i % 1000)}","台積電",${100 + (i % 900)}.25]`;
    rows.push(row);
    size += Buffer.byteLength(row) + 1;
  }
  return `{"columns":["date","code","name","close"],"rows":[${rows.join(',')}]}`;
}

/** Starts a program pinned to a core and waits for a line that matches. */
function start(core, argv, pattern, stream, env = {}) {
  const child = spawn('taskset', ['-c', String(core), ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((done, fail) => {
    let text = '';
    child[stream].on('data', (data) => {
      text += data;
      const found = text.match(pattern);
      if (found) done({ child, found, pid: child.pid });
    });
    child.on('exit', (code) => fail(new Error(`${argv[0]} ended with ${code}: ${text}`)));
  });
}

const stop = (child) =>
  new Promise((done) => {
    child.removeAllListeners('exit');
    child.on('exit', done);
    child.kill('SIGTERM');
  });

function load(port, pid, options) {
  const argv = ['-c', '1', join(build, 'load'), '--port', port, '--pid', pid, '--seconds', seconds];
  for (const [key, value] of Object.entries(options)) argv.push(`--${key}`, value);
  return JSON.parse(execFileSync('taskset', argv.map(String), { encoding: 'utf8' }));
}

const status = (pid, key) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`${key}:\\s+(\\d+)`))[1]);

/** From now on VmHWM is the peak since now, not that of reading the configuration. Gives what is in use, in KiB. */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return status(pid, 'VmRSS');
}

const sizes = { '1KB': 1e3, '1MB': 1e6, '10MB': 1e7, '20MB': 2e7 };
const real = {};
for (const [name, bytes] of Object.entries(sizes)) {
  const text = payload(bytes);
  writeFileSync(join(folder, `${name}.json`), text);
  real[name] = Buffer.byteLength(text);
}

function configuration(upstreamPort) {
  const cached = Object.keys(sizes)
    .map((n) => `  cached_${n}: { description: x, content: [ { type: text, file: ${folder}/${n}.json } ] }`)
    .join('\n');
  const files = Object.keys(sizes)
    .map((n) => `  file_${n}: { description: x, file: { root: ${folder}, path: ${n}.json }, result: text }`)
    .join('\n');
  return `version: 1
server: { listen: 127.0.0.1:0, loops: 1 }
log: { level: info }
sources: { up: { type: http, base_url: "http://127.0.0.1:${upstreamPort}" } }
tools:
  echo: { description: x, text: hello }
  get_data:
    description: x
    source: up
    request: GET /data
    parameters: { bytes: { type: integer, in: query, required: true } }
    result: text
${cached}
${files}
`;
}

const argumentsOf = (tool, n) => (tool === 'get_data' ? `{"bytes":${sizes[n]}}` : '{}');
const nameOf = (tool, n) => (tool === 'get_data' ? 'get_data' : `${tool}_${n}`);

const upstream = await start(1, [join(build, 'tests/support/upstream/upstream'), '--port', '0'], /port (\d+)/, 'stdout');
writeFileSync(join(folder, 'sluice.yaml'), configuration(upstream.found[1]));
const serve = [join(build, 'sluice'), 'serve', '-c', join(folder, 'sluice.yaml')];
const serving = /serving \d+ tools on http:\/\/127\.0\.0\.1:(\d+)/;
const lines = [];
const say = (what, value) => {
  lines.push([what, value]);
  console.log(`${what.padEnd(64)} ${value}`);
};

try {
  const table = new Map();
  const keep = (key, value) => table.set(key, [...(table.get(key) ?? []), value]);
  for (let round = 0; round < rounds; ++round) {
    const begun = process.hrtime.bigint();
    const shipped = await start(0, [serve[0], 'serve', '-c', join(source, 'config/sluice.yaml')], serving, 'stderr', {
      SLUICE_LISTEN: '127.0.0.1:0',
    });
    execFileSync(join(build, 'load'), ['--port', shipped.found[1], '--tool', 'about', '--seconds', '0']);
    keep('shipped configuration: start to first answer, ms', Number(process.hrtime.bigint() - begun) / 1e6);
    await sleep(300);
    keep('shipped configuration: idle memory, KiB', status(shipped.pid, 'VmRSS'));
    await stop(shipped.child);

    const server = await start(0, serve, serving, 'stderr');
    const port = server.found[1];
    for (const connections of [1, 8, 64]) {
      const r = load(port, server.pid, { tool: 'echo', connections });
      keep(`echo, calls/s, ${connections} connections`, r.calls_per_s);
      keep(`echo, p99 ms, ${connections} connections`, r.p99_ms);
      keep(`echo, CPU ms per call, ${connections} connections`, r.cpu_ms_per_call);
    }
    for (const tool of ['cached', 'get_data'])
      for (const n of ['1MB', '10MB']) {
        const r = load(port, server.pid, {
          tool: nameOf(tool, n), arguments: argumentsOf(tool, n), payload: tool === 'cached' ? real[n] : sizes[n],
        });
        const label = tool === 'cached' ? 'get_data_cached' : tool;
        keep(`${label} ${n}, MB/s`, r.payload_mb_per_s);
        keep(`${label} ${n}, CPU ms per MB`, r.cpu_ms_per_mb);
      }
    await stop(server.child);

    for (const tool of ['cached', 'file', 'get_data']) {
      for (const connections of [1, 8, 64]) {
        const fresh = await start(0, serve, serving, 'stderr');
        // One small call first: what every process has after its first answer is not the cost of a large one.
        load(fresh.found[1], fresh.pid, { tool: 'echo', connections: 1, seconds: 0 });
        const idle = forgetPeak(fresh.pid);
        load(fresh.found[1], fresh.pid, {
          tool: nameOf(tool, '10MB'), arguments: argumentsOf(tool, '10MB'), connections, seconds: 0.5,
        });
        keep(`peak memory above idle, KiB, ${tool} 10MB, ${connections} at once`, status(fresh.pid, 'VmHWM') - idle);
        await stop(fresh.child);
      }
      const fresh = await start(0, serve, serving, 'stderr');
      load(fresh.found[1], fresh.pid, { tool: 'echo', connections: 1, seconds: 0 });
      const idle = forgetPeak(fresh.pid);
      load(fresh.found[1], fresh.pid, { tool: nameOf(tool, '20MB'), arguments: argumentsOf(tool, '20MB'), seconds: 0 });
      keep(`peak memory above idle, KiB, ${tool} 20MB, 1 at once`, status(fresh.pid, 'VmHWM') - idle);
      await stop(fresh.child);
    }
  }
  for (const [key, values] of table) say(key, median(values).toLocaleString('en-US', { maximumFractionDigits: 3 }));

  const counts = join(folder, 'counts');
  const counted = await start(0, serve, serving, 'stderr', {
    LD_PRELOAD: join(build, 'libcount_malloc.so'), COUNT_MALLOC_FILE: counts,
  });
  const fd = openSync(counts, 'r');
  const read = () => {
    const buffer = Buffer.alloc(16);
    readSync(fd, buffer, 0, 16, 0);
    return [Number(buffer.readBigUInt64LE(0)), Number(buffer.readBigUInt64LE(8))];
  };
  for (const tool of ['cached', 'file', 'get_data'])
    for (const n of ['1KB', '1MB', '10MB']) {
      const options = { tool: nameOf(tool, n), arguments: argumentsOf(tool, n) };
      load(counted.found[1], counted.pid, { ...options, seconds: 0.5 });  // warm
      const [calls0, bytes0] = read();
      const r = load(counted.found[1], counted.pid, { ...options, seconds: 0.5 });
      const [calls1, bytes1] = read();
      say(`heap per call, ${tool} ${n}: allocations, bytes`,
        `${((calls1 - calls0) / r.calls).toFixed(1)}, ${Math.round((bytes1 - bytes0) / r.calls)}`);
    }
  await stop(counted.child);
} finally {
  await stop(upstream.child);
  rmSync(folder, { recursive: true });
}
