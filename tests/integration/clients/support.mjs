// Starts sluice and its upstream for the tests of one file, with a configuration that has a tool of every type.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { start_archive } from './archive.mjs';

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

function configuration({ folder, market, archive, framing }) {
  const inline = Object.values(sizes).map(
    (bytes) => `  inline_${bytes}: { description: The table., content: [{ type: text, file: ${bytes}.json }] }`,
  );
  return `version: 1
server: { name: clients, listen: "127.0.0.1:0", framing: ${framing}, list_page: 10, progress_interval: 1ms }
timeouts: { grace: 1s }
tasks: { spool: ${join(folder, 'spool')}, poll_interval: 50ms }
parking: { directory: ${join(folder, 'parking')} }
sources:
  market: { type: http, base_url: "${market}" }
  archive: { type: http, base_url: "${archive}" }
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
  parked_table:
    description: A table that is kept where it is large.
    source: market
    request: GET /data
    parameters: { bytes: { type: integer, in: query } }
    result: json
    park: { over: 64KiB, preview: 4KiB, ttl: 1h, items: $.rows }
  parked_text:
    description: A text that is kept.
    source: archive
    request: GET /text
    result: text
    park: { over: 64KiB, preview: 4KiB }
  table_in_pages:
    description: A table, some rows at a time.
    source: market
    request: GET /data
    parameters: { bytes: { type: integer, in: query } }
    result: json
    format: csv
    page: { by: items, size: 5000, items: $.rows }
  text_in_pages:
    description: A text, some bytes at a time.
    source: archive
    request: GET /text
    result: text
    page: { by: bytes, size: 100003 }
  lines_in_pages:
    description: A text, some lines at a time.
    source: archive
    request: GET /text
    result: text
    page: { by: lines, size: 2500 }
  records:
    description: Records, as many at a time as the upstream gives; the number of the next page is in the result.
    source: archive
    request: GET /records
    parameters: { size: { type: integer, in: query } }
    result: json
    page: { next: $.next, parameter: page }
  records_by_path:
    description: The same, where the path of the next page is in the result.
    source: archive
    request: GET /records
    parameters: { size: { type: integer, in: query } }
    result: json
    page: { next: $.more }
  records_by_link:
    description: The same, where the URL of the next page is in the Link header.
    source: archive
    request: GET /feed
    parameters: { size: { type: integer, in: query } }
    result: json
    page: { next: link }
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

// sluice with one `framing`, and the upstreams behind it.
export async function start_server(framing) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'));
  const upstream = await start(program('SLUICE_UPSTREAM'), ['--port', '0'], /^port (\d+)$/);
  const archive = await start_archive();
  const market = `http://127.0.0.1:${upstream.found}`;
  const clean_up = async () => {
    await upstream.close();
    await archive.close();
    rmSync(folder, { recursive: true });
  };
  try {
    for (const bytes of Object.values(sizes)) writeFileSync(join(folder, `${bytes}.json`), payload(bytes));
    for (const name of ['notes', 'parking']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'notes', 'first.md'), 'one');
    const file = join(folder, 'sluice.yaml');
    writeFileSync(file, configuration({ folder, market, archive: archive.url, framing }));
    const sluice = await start(program('SLUICE_BINARY'), ['serve', '-c', file], /serving .* on (http:\/\/\S+)/);
    const stats = async () => await (await fetch(`${market}/stats`)).json();
    const close = async () => {
      const code = await sluice.close();
      await clean_up();
      if (code !== 0) throw new Error(`sluice ended with ${code}:\n${sluice.log.slice(-20).join('\n')}`);
    };
    return { url: new URL(sluice.found), log: sluice.log, folder, market, archive: archive.url, stats, close };
  } catch (error) {
    await clean_up();
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

// fetch() of somebody else: what one caller has made is not for another.
export const fetch_as = (name) => (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${name}`);
  return fetch(input, { ...init, headers });
};

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
