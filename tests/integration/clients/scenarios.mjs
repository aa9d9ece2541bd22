// What every official client has to see, whichever its version and era.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually, framings, payload, sizes, start_server, tables, watched_fetch } from './support.mjs';

// `kind` hides where the clients differ:
//   connect(url, fetch)                -> client
//   call(client, params, options)     -> result
//   pages(client)                     -> arrays of tools, a page each
//   on_log(client, level, receiver)   -> what params of a call need besides
//   closing(client)                   ends it
export function describe_client(name, kind) {
  const expected = Object.fromEntries(Object.values(sizes).map((bytes) => [bytes, payload(bytes)]));

  for (const framing of framings) {
    describe(`${name}, framing ${framing}`, () => {
      let server, client, watch;
      before(async () => {
        server = await start_server(framing);
        watch = watched_fetch();
        client = await kind.connect(server.url, watch.fetch);
      });
      after(async () => {
        await kind.closing?.(client);
        await client?.close();
        await server?.close();
      });
      // A test whose failure shows what sluice logged meanwhile.
      const check = (title, body) =>
        test(title, async () => {
          const begin = server.log.length;
          try {
            await body();
          } catch (error) {
            error.message += `\nsluice: ${server.log.slice(begin).join('\n')}`;
            throw error;
          }
        });
      const call = (params, options) => kind.call(client, params, options);
      const text_of = (result) => result.content.map((block) => block.text).join('');

      for (const [type, request] of Object.entries(tables)) {
        for (const [size, bytes] of Object.entries(sizes)) {
          check(`${type}: ${size} arrive byte for byte`, async () => {
            watch.types.length = 0;
            const result = await call(request(bytes));
            assert.equal(result.isError ?? false, false, text_of(result).slice(0, 500));
            assert.equal(result.content.length, 1);
            const { text } = result.content[0];
            assert.equal(text.length, expected[bytes].length);
            assert.ok(text === expected[bytes], 'the text is another');
            // On its own, sluice takes JSON for what is larger than the write window.
            const json = framing === 'json' || (framing === 'auto' && bytes > 262_144);
            assert.match(watch.types[0], json ? /^application\/json/ : /^text\/event-stream/);
          });
        }
      }

      check('structured content of an upstream keeps its value', async () => {
        const result = await call({ name: 'http_structured', arguments: { bytes: 100_000 } });
        const table = payload(100_000);
        assert.deepEqual(result.structuredContent, JSON.parse(table));
        assert.equal(text_of(result), table);
      });

      check('structured content of an inline tool and of a plug-in', async () => {
        const inline = await call({ name: 'inline_structured', arguments: {} });
        assert.deepEqual(inline.structuredContent, { ok: true, count: 3 });
        const quote = await call({ name: 'quote', arguments: { code: '2330' } });
        assert.equal(quote.structuredContent.currency, 'EUR');
        assert.deepEqual(JSON.parse(text_of(quote)), quote.structuredContent);
      });

      check('an image made in pieces', async () => {
        const result = await call({ name: 'chart', arguments: { code: '2330', days: 2000 } });
        assert.equal(result.content[0].mimeType, 'image/svg+xml');
        const image = Buffer.from(result.content[0].data, 'base64').toString();
        assert.match(image, /^<svg .*<\/svg>$/s);
      });

      check('progress comes before the result', async () => {
        const seen = [];
        const result = await call(
          { name: 'watch', arguments: { code: '2330', ticks: 4, interval_ms: 20 } },
          { onprogress: (progress) => seen.push(progress) },
        );
        assert.equal(text_of(result).trim().split('\n').length, 4);
        if (framing === 'json') return assert.equal(seen.length, 0);  // there is nowhere to put it
        assert.deepEqual(seen.map(({ progress, total }) => [progress, total]), [[1, 4], [2, 4], [3, 4], [4, 4]]);
      });

      check('bytes of a slow source are told before its result', async () => {
        const seen = [];
        const result = await call({ name: 'ticking', arguments: {} }, { onprogress: ({ progress }) => seen.push(progress) });
        assert.equal(text_of(result), 'piece'.repeat(5));
        if (framing === 'json') return assert.equal(seen.length, 0);
        assert.ok(seen.length >= 2, `${seen}`);
        assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
      });

      check('a tool is listed with all its details', async () => {
        const { title, annotations, icons, _meta } = (await kind.pages(client)).flat().find((tool) => tool.name === 'detailed');
        assert.equal(title, 'A title');
        assert.deepEqual(annotations, { readOnlyHint: true });
        assert.deepEqual(icons, [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }]);
        assert.deepEqual(_meta, { 'example.com/k': [1] });
      });

      check('prompts are listed, and hold their arguments', async () => {
        const { prompts } = await client.listPrompts();
        assert.deepEqual(prompts.map((prompt) => prompt.name), ['review', 'compare']);
        assert.deepEqual(prompts[0].arguments.map((argument) => argument.name), ['text', 'tone', 'file']);
        const { description, messages } = await client.getPrompt({ name: 'review', arguments: { text: '{tone}', tone: 'kind' } });
        assert.equal(description, 'Asks for a review.');
        assert.deepEqual(messages.map(({ role, content }) => [role, content.type]), [
          ['user', 'text'], ['assistant', 'image'], ['user', 'resource'], ['user', 'resource_link'],
        ]);
        assert.equal(messages[0].content.text, 'Review {tone}, kind.');
        assert.equal(messages[2].content.resource.uri, 'note:%7Btone%7D');
        await assert.rejects(client.getPrompt({ name: 'review', arguments: {} }), /the argument "text" is missing/);
        await assert.rejects(client.getPrompt({ name: 'nobody' }), /Unknown prompt: nobody/);
      });

      check('arguments of prompts are completed', async () => {
        const complete = async (name, value) =>
          (await client.complete({ ref: { type: 'ref/prompt', name: 'review' }, argument: { name, value } })).completion;
        assert.deepEqual(await complete('tone', 'k'), { values: ['kind', 'keen'], total: 2, hasMore: false });
        assert.deepEqual((await complete('file', '1000.')).values, ['1000.json']);
        assert.deepEqual((await complete('text', 'x')).values, []);
      });

      check('log messages arrive where the client wants them', async () => {
        const seen = [];
        const extra = await kind.on_log(client, 'info', (params) => seen.push(params));
        await call({ name: 'watch', arguments: { code: '2330', ticks: 1, interval_ms: 1 }, ...extra });
        if (framing === 'json') return assert.equal(seen.length, 0);
        await eventually(() => seen.length, (length) => length > 0);
        assert.deepEqual(seen.map(({ level, data }) => [level, data]), [['info', 'watching 2330']]);
      });

      check('a call that is cancelled ends its upstream request', async () => {
        const before = await server.stats();
        const abort = new AbortController();
        const pending = call({ name: 'http_table', arguments: { bytes: 5_000_000, pause_after: 1000 } }, { signal: abort.signal });
        const outcome = pending.then(() => 'answered', () => 'rejected');
        await eventually(server.stats, (now) => now.requests === before.requests + 1);
        abort.abort();
        assert.equal(await outcome, 'rejected');
        await eventually(server.stats, (now) => now.abandoned === before.abandoned + 1);
        assert.equal(text_of(await call(tables.inline(1_000))), expected[1_000]);  // the connection lives
      });

      check('a call that runs into its own time limit is cancelled too', async () => {
        const before = await server.stats();
        await assert.rejects(call({ name: 'http_table', arguments: { delay_ms: 60_000 } }, { timeout: 200 }));
        await eventually(server.stats, (now) => now.abandoned === before.abandoned + 1);
      });

      check('what a source gets wrong is told as an error of the tool', async () => {
        for (const params of [
          { name: 'http_table', arguments: { status: 503 } },
          { name: 'http_table', arguments: { bytes: 3_000_000, break_after: 2_000_000 } },
          { name: 'file_table', arguments: { name: '404' } },
          { name: 'command_table', arguments: { name: '404' } },
        ]) {
          const result = await call(params);
          assert.equal(result.isError, true, JSON.stringify(params));
          assert.ok(text_of(result).length > 0);
        }
      });

      check('an upstream that breaks off leaves what came and says so', async () => {
        const result = await call({ name: 'http_table', arguments: { bytes: 3_000_000, break_after: 2_000_000 } });
        const came = Buffer.from(result.content[0].text);
        assert.ok(came.equals(Buffer.from(payload(3_000_000)).subarray(0, came.length)));
        assert.equal(result.isError, true);
      });

      check('arguments that do not fit the schema are told as an error of the tool', async () => {
        const result = await call({ name: 'http_table', arguments: { market: 'mars' } });
        assert.equal(result.isError, true);
        assert.match(text_of(result), /market/);
      });

      check('an unknown tool is an error of the request', async () => {
        await assert.rejects(call({ name: 'no_such_tool', arguments: {} }), (error) => error.code === -32602);
      });

      check('the list of tools comes in pages, each tool once', async () => {
        const pages = await kind.pages(client);
        const names = pages.flat().map((tool) => tool.name);
        assert.equal(new Set(names).size, names.length);
        assert.ok(names.length >= 35, `${names.length}`);
        assert.ok(pages.length >= 4 && pages.every((page) => page.length <= 10), `${pages.map((page) => page.length)}`);
        for (const expected of ['http_table', 'extra_24', 'plugin_table', 'quote']) assert.ok(names.includes(expected));
      });

      check('an argument that is mirrored in a header, of any script', async () => {
        await kind.pages(client);  // clients learn from the list what to mirror
        for (const region of ['eu-west-1', '台北', ' with blanks ', '=?base64?eA==?='])
          assert.equal(text_of(await call({ name: 'mirrored', arguments: { region } })), region);
      });

      check('ten calls at once each get their own answer', async () => {
        const wanted = Array.from({ length: 10 }, (_, i) => 1000 + i * 7001);
        const results = await Promise.all(wanted.map((bytes) => call({ name: 'http_table', arguments: { bytes } })));
        assert.deepEqual(results.map(text_of), wanted.map(payload));
      });

      kind.more?.({ server: () => server, client: () => client, call });
    });
  }
}
