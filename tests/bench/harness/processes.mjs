// Programs under measurement: started on one core, watched, ended.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';

const running = new Set();

/** Starts `argv` and resolves when its output matches `ready`, which may hold the port as its first group. `core` is the
 *  one it is pinned to; without it, it runs where the kernel puts it, and nothing stands between it and its start. */
export function start(argv, { core, ready, port, env = {} }) {
  // As many descriptors as this machine lets it have: some of the loads hold ten thousand connections.
  const pinned = ['sh', '-c', 'ulimit -n "$(ulimit -Hn)"; exec "$@"', 'sh', 'taskset', '-c', String(core), ...argv];
  const [program, ...rest] = core === undefined ? argv : pinned;
  const begun = process.hrtime.bigint();
  const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = new Promise((done) => child.on('exit', done).on('error', done));
  ended.then(() => running.delete(child));
  return new Promise((done, fail) => {
    let text = '';
    let found = null;
    const read = (data) => {
      text = (text + data).slice(-8192);
      if (found) return;
      found = text.match(ready);
      if (found) done({ child, ended, begun, pid: child.pid, port: Number(found[1] ?? port), said: () => text });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then((why) => fail(new Error(`${argv[0]} ended (${why}): ${text.trim()}`)));
  });
}

/** Ends what `start` gave, at the latest after five seconds. */
export async function stop({ child, ended }) {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(timer);
}

export function stop_all() {
  for (const child of running) child.kill('SIGKILL');
}

/** A port nobody listens on, for programs that do not say which one they took. */
export function free_port() {
  return new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Runs a program to its end and gives what it printed; fails with what it complained about. */
export function run(argv, { core, seconds = 240 } = {}) {
  const [program, ...rest] = core === undefined ? argv : ['taskset', '-c', String(core), ...argv];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  return new Promise((done, fail) => {
    let out = '';
    let complaint = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (complaint += data));
    child.on('error', fail);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      if (code === 0) done(out);
      else {
        const last = complaint.trim().split('\n').at(-1) || `${argv[0]} ended with ${code ?? signal}`;
        fail(Object.assign(new Error(last), { complaint: complaint.slice(0, 2000).replace(/\s+/g, ' ') }));
      }
    });
  });
}

/** A line of /proc/<pid>/status, in KiB. */
export function status_kib(pid, key) {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`${key}:\\s+(\\d+)`))[1]);
}

/** From now on VmHWM is the peak since now, not that of the start. Gives what is in use, in KiB. */
export function forget_peak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return status_kib(pid, 'VmRSS');
}
