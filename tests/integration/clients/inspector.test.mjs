// The command line of the MCP Inspector, in both eras.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { payload, start_server } from './support.mjs';

const inspector = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json')).replace(
  /package\.json$/,
  '../../.bin/mcp-inspector',
);

let server;
before(async () => (server = await start_server('auto')));
after(async () => await server.close());

// The one JSON object that it prints.
function inspect(era, method, ...options) {
  const all = ['--cli', server.url.href, '--transport', 'http', '--protocol-era', era, '--quiet', '--format', 'json', '--method', method];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [inspector, ...all, ...options], { maxBuffer: 1 << 28, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error && error.code === undefined) return reject(error);
      try {
        resolve(JSON.parse(stdout || stderr));
      } catch {
        reject(new Error(`${stdout}${stderr}`));
      }
    });
  });
}

for (const era of ['modern', 'legacy'])
  describe(`inspector, ${era}`, () => {
    const ask = (...options) => inspect(era, ...options);
    const answer = async (...options) => (await ask(...options)).result;

    test('tools are listed and called', async () => {
      const { tools } = await answer('tools/list');
      assert.ok(tools.some((tool) => tool.name === 'http_table'));
      const result = await answer('tools/call', '--tool-name', 'http_table', '--tool-args-json', '{"bytes":1000000}');
      assert.equal(result.content[0].text, payload(1_000_000));
      const structured = await answer('tools/call', '--tool-name', 'inline_structured');
      assert.deepEqual(structured.structuredContent, { ok: true, count: 3 });
    });

    test('a tool that fails says so', async () => {
      const result = await answer('tools/call', '--tool-name', 'http_table', '--tool-args-json', '{"status":500}');
      assert.ok(result.isError);
    });

    test('prompts are listed and got', async () => {
      const { prompts } = await answer('prompts/list');
      assert.ok(prompts.some((prompt) => prompt.name === 'review'));
      const { messages } = await answer('prompts/get', '--prompt-name', 'review', '--prompt-args', 'text=this', 'tone=kind');
      assert.equal(messages[0].content.text, 'Review this, kind.');
    });

    test('resources and templates are listed and read', async () => {
      const { resources } = await answer('resources/list');
      assert.ok(resources.some((resource) => resource.uri === 'ui://demo/clock.html'));
      const { resourceTemplates } = await answer('resources/templates/list');
      assert.equal(resourceTemplates[0].uriTemplate, 'demo://notes/{name}');
      const { contents } = await answer('resources/read', '--uri', 'demo://notes/first');
      assert.equal(contents[0].text, 'one');
    });

    test('the app of a tool is found with its resource', async () => {
      const { appInfo } = await ask('tools/call', '--tool-name', 'clock', '--app-info', '--advertise-apps');
      assert.equal(appInfo.resourceUri, 'ui://demo/clock.html');
      assert.equal(appInfo.resourceMimeType, 'text/html;profile=mcp-app');
    });
  });
