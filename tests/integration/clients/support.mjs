// Starts sluice and its upstream for the tests of one file, with a configuration that has a tool of every type.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const sizes = { '1 KB': 1_000, '1 MB': 1_000_000, '20 MB': 20_000_000 };
export const framings = ['auto', 'sse', 'json'];

// The reference table, as long as it can be without passing `bytes`; written here once more, so that a mistake of the
// upstream or the plug-in shows.
export function payload(bytes) {
  const rows = [];
  let left = bytes - Buffer.byteLength('{"columns":["date","code","name","close"],"rows":[]}');
  for (let i = 0; ; ++i) {
    const month = String((i % 12) + 1).padStart(2, '0');
    const row = `["2026${month}01","${2300 + (i % 1000)}","台積電",${100 + (i % 900)}.25]`;
    left -= Buffer.byteLength(row) + (i === 0 ? 0 : 1);
    if (left < 0) break;
    rows.push(row);
  }
  return `{"columns":["date","code","name","close"],"rows":[${rows.join(',')}]}`;
}

export function program(name) {
  const path = process.env[name];
  if (!path) throw new Error(`${name} is not set: run these tests with ctest -R clients`);
  return path;
}

// Runs a program until close(); `ready` picks out of one of its lines what is waited for.
export async function start(file, args, ready) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = [];
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const found = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        log.push(line);
        const match = ready.exec(line);
        if (match) resolve(match[1]);
      });
    child.once('error', reject);
    exited.then((code) => reject(new Error(`${file} ended with ${code}:\n${log.join('\n')}`)));
  });
  const close = async () => {
    child.kill('SIGTERM');
    return await exited;
  };
  return { found, log, close };
}

const many = Array.from({ length: 25 }, (_, i) => `  extra_${i}: { description: One of many., text: "${i}" }`).join('\n');

function configuration(folder, upstream, framing) {
  const inline = Object.values(sizes).map(
    (bytes) => `  inline_${bytes}: { description: The table., content: [{ type: text, file: ${bytes}.json }] }`,
  );
  return `version: 1
server: { name: clients, listen: "127.0.0.1:0", framing: ${framing}, list_page: 10, progress_interval: 1ms }
timeouts: { grace: 1s }
tasks: { spool: ${join(folder, 'spool')}, poll_interval: 50ms }
sources:
  market: { type: http, base_url: "http://127.0.0.1:${upstream}" }
plugins:
  - ${program('SLUICE_TABLE_PLUGIN')}
  - { path: ${program('SLUICE_QUOTES_PLUGIN')}, settings: { currency: EUR, lookup_ms: 1 } }
tools:
${inline.join('\n')}
  http_table:
    description: The table from an HTTP upstream.
    source: market
    request: GET /v1/{market}/data
    parameters:
      market: { type: string, enum: [twse, nyse], default: twse, in: path }
      bytes: { type: integer, in: query }
      delay_ms: { type: integer, in: query }
      pause_after: { type: integer, in: query }
      break_after: { type: integer, in: query }
      status: { type: integer, in: query }
    result: text
  http_structured:
    description: The table as structured content.
    source: market
    request: GET /data
    parameters: { bytes: { type: integer, in: query } }
    result: json
    structured: both
    output_schema: { type: object, required: [columns, rows] }
  file_table:
    description: The table from a file.
    parameters: { name: { type: string, pattern: "^[0-9]+$", required: true } }
    file: { root: ., path: "{name}.json" }
    result: text
  command_table:
    description: The table from a program.
    parameters: { name: { type: string, pattern: "^[0-9]+$", required: true } }
    command: [cat, "{name}.json"]
    directory: .
  inline_structured:
    description: Structured content that stands in the configuration.
    text: ok
    structured: { ok: true, count: 3 }
  report:
    description: Takes its time.
    parameters: { seconds: { type: string, pattern: "^[0-9.]+$", required: true } }
    command: [sh, -c, 'sleep "$1"; echo "after $1"', report, "{seconds}"]
    task: auto
    task_after: 100ms
    timeout: 1h
  mirrored:
    description: Says its argument, which clients of 2026-07-28 send in a header as well.
    parameters: { region: { type: string, required: true, x-mcp-header: Region } }
    command: [printf, "%s", "{region}"]
  detailed:
    title: A title
    description: Has everything that a list may say of a tool.
    text: ok
    annotations: { read_only: true }
    icons: [{ src: "https://example.com/i.png", mime_type: image/png, sizes: [48x48], theme: dark }]
    meta: { example.com/k: [1] }
  clock:
    description: The time, as an app.
    text: now
    meta: { ui: { resourceUri: "ui://demo/clock.html" } }
  ticking:
    description: Writes now and then.
    command: [sh, -c, "for i in 1 2 3 4 5; do printf piece; sleep 0.05; done"]
${many}
resources:
  welcome: { uri: "demo://welcome", title: Welcome, mime_type: text/markdown, text: "# Hello", annotations: { audience: [user] } }
  pixel: { uri: "demo://pixel.png", mime_type: image/png, data: iVBORw0KGgo= }
  clock: { uri: "ui://demo/clock.html", mime_type: text/html;profile=mcp-app, text: "<p>now</p>", meta: { ui: { prefersBorder: true } } }
  note:
    uri_template: demo://notes/{name}
    parameters: { name: { type: string, pattern: "^[a-z]+$", required: true } }
    complete: { name: { list: [first, second] } }
    file: { root: notes, path: "{name}.md" }
  notes: { directory: { root: notes, uri: "demo:///notes/" } }
  table: { uri: "demo://table", source: market, request: "GET /data?bytes=3000000" }
prompts:
  review:
    title: Review
    description: Asks for a review.
    arguments:
      text: { description: What., required: true }
      tone: { enum: [kind, keen, strict] }
      file: { complete: { files: { root: ., pattern: "*.json" } } }
    messages:
      - { role: user, text: "Review {text}, {tone}." }
      - { role: assistant, type: image, data: iVBORw0KGgo=, mime_type: image/png }
      - { role: user, type: resource, uri: "note:{text}", text: "{text}", mime_type: text/plain }
      - { role: user, type: resource_link, uri: "note:1", name: one }
`;
}

// How each type of tool is asked for a table of a size.
export const tables = {
  inline: (bytes) => ({ name: `inline_${bytes}`, arguments: {} }),
  http: (bytes) => ({ name: 'http_table', arguments: { bytes } }),
  file: (bytes) => ({ name: 'file_table', arguments: { name: String(bytes) } }),
  command: (bytes) => ({ name: 'command_table', arguments: { name: String(bytes) } }),
  'plug-in': (bytes) => ({ name: 'plugin_table', arguments: { bytes } }),
};

// sluice with one `framing`, and the upstream behind it.
export async function start_server(framing) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'));
  const upstream = await start(program('SLUICE_UPSTREAM'), ['--port', '0'], /^port (\d+)$/);
  try {
    for (const bytes of Object.values(sizes)) writeFileSync(join(folder, `${bytes}.json`), payload(bytes));
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes', 'first.md'), 'one');
    const file = join(folder, 'sluice.yaml');
    writeFileSync(file, configuration(folder, upstream.found, framing));
    const sluice = await start(program('SLUICE_BINARY'), ['serve', '-c', file], /serving .* on (http:\/\/\S+)/);
    const stats = async () => await (await fetch(`http://127.0.0.1:${upstream.found}/stats`)).json();
    const close = async () => {
      const code = await sluice.close();
      await upstream.close();
      rmSync(folder, { recursive: true });
      if (code !== 0) throw new Error(`sluice ended with ${code}:\n${sluice.log.slice(-20).join('\n')}`);
    };
    return { url: new URL(sluice.found), log: sluice.log, folder, stats, close };
  } catch (error) {
    await upstream.close();
    rmSync(folder, { recursive: true });
    throw error;
  }
}

// fetch() that keeps the content types of the answers to tools/call.
export function watched_fetch() {
  const types = [];
  const watched = async (input, init) => {
    const response = await fetch(input, init);
    if (String(init?.body ?? '').includes('"tools/call"')) types.push(response.headers.get('content-type'));
    return response;
  };
  return { fetch: watched, types };
}

// Asks again until the answer is as it should be; for what another process does in its own time.
export async function eventually(question, is_right) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answer = await question();
    if (is_right(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
