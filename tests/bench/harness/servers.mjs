// How each server is configured and started.

import { join } from 'node:path';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { kServerCore } from './load.mjs';
import { shapings } from './shapings.mjs';
import { payload_file } from './payloads.mjs';
import { peer_file, peer_node, toolbox } from './peers.mjs';
import { free_port, run, start } from './processes.mjs';

const says_port = /port (\d+)/;
export const says_serving = /serving \d+ tools on http:\/\/127\.0\.0\.1:(\d+)/;

/** One loop, and limits that none of the loads reaches; the rest is as it is by default. */
function sluice_yaml(bench, names) {
  const cached = names.map(
    (n) => `  cached_${n}: { description: x, content: [ { type: text, file: ${payload_file(bench.folder, n)} } ] }`,
  );
  const files = names.map(
    (n) => `  file_${n}: { description: x, file: { root: ${bench.folder}, path: ${n}.json }, result: text }`,
  );
  const shaped = names.flatMap((n) =>
    Object.entries(shapings).map(
      ([name, keys]) =>
        `  shaped_${name}_${n}: { description: x, file: { root: ${bench.folder}, path: ${n}.json }, result: json${keys && ', '}${keys} }`,
    ),
  );
  return `version: 1
server: { listen: 127.0.0.1:0, loops: 1 }
limits: { result: 128MiB, calls_in_flight: 4096, connections: 30000, sessions: 30000, frames: 1GiB }
timeouts: { call: 300s, stall: 120s }
plugins: [ ${join(bench.build, 'echo_plugin.so')} ]
sources: { up: { type: http, base_url: "http://127.0.0.1:${bench.upstream.port}", connections: 2048, timeout: 300s, connect_timeout: 60s } }
tools:
  get_data:
    description: x
    source: up
    request: GET /data
    parameters: { bytes: { type: integer, in: query, required: true } }
    result: text
${[...cached, ...files, ...shaped].join('\n')}
`;
}

function sluice(bench, names, env) {
  const file = join(mkdtempSync(join(bench.folder, 'sluice-')), 'sluice.yaml');
  writeFileSync(file, sluice_yaml(bench, names));
  return start([join(bench.build, 'sluice'), 'serve', '-c', file], { core: kServerCore, ready: says_serving, env });
}

function ready_made(bench, names, form) {
  const tools = names.flatMap((n) => ['--tool', `cached_${n}=${payload_file(bench.folder, n)}`]);
  const argv = [
    join(bench.build, 'ready_made'),
    '--port',
    '0',
    '--form',
    form,
    '--tool',
    `echo=${join(bench.folder, 'message.txt')}`,
    ...tools,
  ];
  return start(argv, { core: kServerCore, ready: says_port });
}

function typescript(bench, names, mode) {
  const argv = [peer_node(), peer_file('typescript.mjs'), '--mode', mode, '--folder', bench.folder];
  argv.push('--sizes', names.join(','), '--upstream', String(bench.upstream.port));
  return start(argv, { core: kServerCore, ready: says_port, env: { NODE_ENV: 'production' } });
}

/** Its HTTP tool, and its SQLite source with the payloads as rows of one table. */
async function mcp_toolbox(bench, names) {
  const folder = mkdtempSync(join(bench.folder, 'toolbox-'));
  const database = join(folder, 'kept.db');
  await run([peer_node(), '--no-warnings', peer_file('make_sqlite.mjs'), database, bench.folder, names.join(',')]);
  const sql = (name, statement, more = {}) => ({
    kind: 'tool',
    name,
    type: 'sqlite-sql',
    source: 'db',
    description: 'x',
    statement,
    ...more,
  });
  const parameter = (name, type) => [{ name, type, description: 'x' }];
  const parts = [
    {
      kind: 'source',
      name: 'up',
      type: 'http',
      baseUrl: `http://127.0.0.1:${bench.upstream.port}`,
      timeout: '300s',
      allowPrivateNetworks: true,
    },
    { kind: 'source', name: 'db', type: 'sqlite', database },
    {
      kind: 'tool',
      name: 'get_data',
      type: 'http',
      source: 'up',
      description: 'x',
      method: 'GET',
      path: '/data',
      queryParams: parameter('bytes', 'integer'),
    },
    sql('echo', 'SELECT ? AS message', { parameters: parameter('message', 'string') }),
    ...names.map((n) => sql(`cached_${n}`, `SELECT body FROM kept WHERE name = '${n}'`)),
  ];
  const file = join(folder, 'tools.yaml');
  writeFileSync(file, parts.map((part) => JSON.stringify(part)).join('\n---\n'));
  const port = await free_port();
  const argv = [
    toolbox(),
    '--config',
    file,
    '--port',
    String(port),
    '--disable-version-check',
    '--disable-reload',
    '--log-level',
    'info',
  ];
  return start(argv, { core: kServerCore, ready: /Server ready to serve/, port });
}

function proxy(bench, ...options) {
  const argv = [join(bench.build, 'proxy'), '--port', '0', '--upstream', String(bench.upstream.port), ...options];
  return start(argv, { core: kServerCore, ready: says_port });
}
/** The defaults of limits.send_buffer and limits.receive_buffer. */
const our_buffers = ['--send-buffer', String(144 * 1024), '--receive-buffer', String(88 * 1024)];

const kinds = {
  sluice: (bench, names, env) => sluice(bench, names, env),
  'sluice-again': (bench, names) => sluice(bench, names),
  'ready-sse': (bench, names) => ready_made(bench, names, 'sse'),
  'ready-json': (bench, names) => ready_made(bench, names, 'json'),
  proxy: (bench) => proxy(bench),
  'proxy-bounded': (bench) => proxy(bench, ...our_buffers),
  'ts-sse': (bench, names) => typescript(bench, names, 'sse'),
  'ts-json': (bench, names) => typescript(bench, names, 'json'),
  toolbox: mcp_toolbox,
};

/** Starts the server of that name with the payloads of these sizes. */
export const start_server = (bench, name, names, env = {}) => kinds[name](bench, names, env);
