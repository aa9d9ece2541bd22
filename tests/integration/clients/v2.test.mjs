// The official client, version 2: it negotiates 2026-07-28, and has a legacy mode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe_asking } from './asking.mjs';
import { describe_client } from './scenarios.mjs';
import { session_life } from './legacy.mjs';

const connecting = (mode) => async (url, fetch) => {
  const client = new Client({ name: 'tests', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return client;
};

const call = (client, params, options) => client.callTool(params, options);

// Without a cursor this client fetches all pages at once; asked with one it fetches that page.
async function pages_by_cursor(client) {
  const all = (await client.listTools()).tools.map((tool) => tool.name);
  const pages = [];
  let cursor;
  for (;;) {
    const page = await client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } });
    pages.push(page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  assert.deepEqual(pages.flat().map((tool) => tool.name), all);
  return pages;
}

describe_client('client v2, negotiating', {
  connect: connecting('auto'),
  call,
  pages: pages_by_cursor,
  on_log: (client, level, receiver) => {
    client.setNotificationHandler('notifications/message', ({ params }) => receiver(params));
    return { _meta: { [LOG_LEVEL_META_KEY]: level } };
  },
  more: ({ client }) => {
    test('the newest revision is agreed on, without a session', () => {
      assert.equal(client().getNegotiatedProtocolVersion(), '2026-07-28');
      assert.equal(client().getProtocolEra(), 'modern');
      assert.equal(client().transport.sessionId, undefined);
    });
  },
});

describe_client('client v2, legacy', {
  connect: connecting('legacy'),
  call,
  pages: pages_by_cursor,
  on_log: async (client, level, receiver) => {
    client.setNotificationHandler('notifications/message', ({ params }) => receiver(params));
    await client.setLoggingLevel(level);
  },
  closing: (client) => client?.transport.terminateSession(),
  more: ({ server }) => session_life({ server, connect: connecting('legacy') }),
});

for (const mode of ['auto', 'legacy'])
  describe_asking(`client v2, ${mode}`, {
    is_modern: mode === 'auto',
    connect: async (url, capabilities, answer, fetch) => {
      const client = new Client({ name: 'tests', version: '2' }, { capabilities, versionNegotiation: { mode } });
      if (capabilities.elicitation) client.setRequestHandler('elicitation/create', answer);
      if (capabilities.sampling) client.setRequestHandler('sampling/createMessage', answer);
      if (capabilities.roots) client.setRequestHandler('roots/list', answer);
      await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
      return client;
    },
    call,
  });
