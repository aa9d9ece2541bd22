// What an official client sees of tools that ask it something, whichever its version and era.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { program, start } from './support.mjs';

const configuration = (folder, port) => `version: 1
server: { name: asking, listen: "127.0.0.1:${port}", keys: [ "${'5a'.repeat(32)}" ] }
timeouts: { grace: 1s }
plugins: [ ${program('SLUICE_FIXTURE_PLUGIN')} ]
tools:
  touch:
    description: Makes a file.
    parameters: { name: { type: string, pattern: "^[a-z_]+$", required: true } }
    confirm: "Make {name}?"
    command: [touch, --, "{name}"]
    directory: ${folder}
  touch_anyway:
    description: Makes a file.
    parameters: { name: { type: string, pattern: "^[a-z_]+$", required: true } }
    confirm: "Make {name}?"
    confirm_fallback: allow
    command: [touch, --, "{name}"]
    directory: ${folder}
`;

// sluice that can be started anew at the address that it had.
async function start_asking() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-asking-'));
  const file = join(folder, 'sluice.yaml');
  const serve = async (port) => {
    writeFileSync(file, configuration(folder, port));
    return await start(program('SLUICE_BINARY'), ['serve', '-c', file], /serving .* on (http:\/\/\S+)/);
  };
  let sluice = await serve(0);
  const url = new URL(sluice.found);
  const stop = async () => {
    const code = await sluice.close();
    if (code !== 0) throw new Error(`sluice ended with ${code}:\n${sluice.log.slice(-20).join('\n')}`);
  };
  return {
    url,
    has: (name) => existsSync(join(folder, name)),
    restart: async () => {
      await stop();
      sluice = await serve(url.port);
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

export const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

// `kind` hides where the clients differ:
//   connect(url, capabilities, answer, fetch)  -> client; `answer` is given each request of the server
//   call(client, params)                       -> result
//   is_modern
export function describe_asking(name, kind) {
  describe(`${name}, asked`, () => {
    let server, client, asked, answers;
    // Answers what the test has prepared, in its order.
    const answer = async (request) => {
      asked.push(request);
      const next = answers.shift();
      return typeof next === 'function' ? await next(request) : next;
    };
    const tampering = { on: false };
    const tampering_fetch = (input, init) => {
      if (tampering.on && init?.body) {
        const body = init.body.replace(/"requestState":"([^"]*)"/, '"requestState":"$1-TAMPERED"');
        return fetch(input, { ...init, body });
      }
      return fetch(input, init);
    };
    before(async () => {
      server = await start_asking();
      client = await kind.connect(server.url, capabilities, answer, tampering_fetch);
    });
    beforeEach(() => {
      asked = [];
      answers = [];
    });
    after(async () => {
      await client?.close();
      await server?.close();
    });
    const call = (name, args = {}) => kind.call(client, { name, arguments: args });
    const text_of = (result) => result.content.map((block) => block.text).join('');
    const accept = (content) => ({ action: 'accept', content });

    test('a form is shown, and filled in', async () => {
      answers = [accept({ name: 'Ann' })];
      assert.equal(text_of(await call('ask_name')), 'Hello Ann!');
      assert.equal(asked[0].method, 'elicitation/create');
      assert.equal(asked[0].params.message, 'Who are you?');
      assert.deepEqual(asked[0].params.requestedSchema.required, ['name']);
    });

    test('a form is declined, or closed', async () => {
      answers = [{ action: 'decline' }, { action: 'cancel' }];
      assert.equal(text_of(await call('ask_name')), 'decline');
      assert.equal(text_of(await call('ask_name')), 'cancel');
    });

    test('a page is opened', async () => {
      answers = [{ action: 'accept' }];
      assert.equal(text_of(await call('ask_page')), 'accept');
      assert.equal(asked[0].params.mode, 'url');
      assert.equal(asked[0].params.url, 'https://example.com/login');
    });

    test('the model is asked', async () => {
      answers = [{ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }];
      assert.equal(text_of(await call('ask_model')), 'm: Paris');
      assert.equal(asked[0].params.maxTokens, 100);
    });

    test('roots are listed', async () => {
      answers = [{ roots: [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'B' }] }];
      assert.equal(text_of(await call('ask_roots')), 'file:///a;file:///b;');
    });

    test('several questions at once', async () => {
      const by_method = {
        'elicitation/create': accept({ name: 'Ann' }),
        'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' },
        'roots/list': { roots: [] },
      };
      answers = Array(3).fill((request) => by_method[request.method]);
      assert.equal(text_of(await call('ask_all')), 'accept,Hi,0');
      assert.equal(asked.length, 3);
    });

    test('several rounds', async () => {
      answers = ['a', 'b', 'c'].map((name) => accept({ name }));
      assert.equal(text_of(await call('ask_rounds', { n: 3 })), '"a";"b";"c";');
      assert.deepEqual(asked.map(({ params }) => params.message), ['Step 1', 'Step 2', 'Step 3']);
    });

    test('a tool that asks first runs once the user agrees', async () => {
      answers = [accept({})];
      const result = await call('touch', { name: 'agreed' });
      assert.equal(result.isError ?? false, false, text_of(result));
      assert.equal(asked[0].params.message, 'Make agreed?');
      assert.ok(server.has('agreed'));
    });

    test('a tool that asks first does nothing where the user does not agree', async () => {
      for (const action of ['decline', 'cancel']) {
        answers = [{ action }];
        const result = await call('touch', { name: action });
        assert.equal(result.isError, true);
        assert.match(text_of(result), /Nothing was done\.$/);
        assert.ok(!server.has(action));
      }
    });

    test('a client that cannot be asked is told so', async () => {
      const plain = await kind.connect(server.url, {}, answer, fetch);
      const params = { name: 'touch', arguments: { name: 'unasked' } };
      if (kind.is_modern) {
        await assert.rejects(kind.call(plain, params), (error) => error.code === -32021);
      } else {
        const result = await kind.call(plain, params);
        assert.equal(result.isError, true);
        assert.match(text_of(result), /elicitation\.form/);
      }
      assert.ok(!server.has('unasked'));
      const allowed = { name: 'touch_anyway', arguments: { name: 'unasked' } };
      assert.equal((await kind.call(plain, allowed)).isError ?? false, false);
      assert.ok(server.has('unasked'));
      await plain.close();
      assert.equal(asked.length, 0);
    });

    test('the server is started anew, and the client goes on', async () => {
      if (kind.is_modern) {
        // Between two rounds of one call.
        answers = [
          accept({ name: 'a' }),
          async () => {
            await server.restart();
            return accept({ name: 'b' });
          },
        ];
      } else {
        // Between two calls of one session.
        await server.restart();
        answers = [accept({ name: 'a' }), accept({ name: 'b' })];
      }
      assert.equal(text_of(await call('ask_rounds', { n: 2 })), '"a";"b";');
    });

    if (kind.is_modern)
      test('a state that was tampered with is refused', async () => {
        answers = [accept({ name: 'Eve' })];
        tampering.on = true;
        try {
          await assert.rejects(call('ask_name'), (error) => error.code === -32602);
        } finally {
          tampering.on = false;
        }
      });
  });
}
