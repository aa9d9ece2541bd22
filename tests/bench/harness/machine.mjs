// What the figures were measured on, and with.

import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';

const said_by = (argv, cwd) => {
  try {
    return execFileSync(argv[0], argv.slice(1), { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** The machine, the build and the versions of everything that takes part. */
export function machine(build, source) {
  const cache = readFileSync(join(build, 'CMakeCache.txt'), 'utf8');
  const cached = (key) => cache.match(new RegExp(`^${key}:[A-Z]+=(.*)$`, 'm'))?.[1] ?? '';
  const flags = new Set(
    readFileSync('/proc/cpuinfo', 'utf8')
      .match(/^(?:flags|Features)\s*:(.*)$/m)?.[1]
      .split(' '),
  );
  return {
    date: new Date().toISOString().slice(0, 16),
    cpu: cpus()[0].model.trim(),
    simd: ['avx512bw', 'avx2', 'sse4_2', 'asimd'].filter((name) => flags.has(name)),
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    commit: said_by(['git', 'describe', '--always', '--dirty'], source),
    compiler: said_by([cached('CMAKE_CXX_COMPILER'), '--version']).split('\n')[0],
    flags: cached(`CMAKE_CXX_FLAGS_${cached('CMAKE_BUILD_TYPE').toUpperCase()}`),
    node: process.version,
    load_at_start: loadavg()[0],
  };
}

export const load_average = () => loadavg()[0];
