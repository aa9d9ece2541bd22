// The official client, version 2: it negotiates 2026-07-28, and has a legacy mode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe_asking } from './asking.mjs';
import { describe_client } from './scenarios.mjs';
import { session_life, streams_of_a_session } from './legacy.mjs';
import { parked_results } from './parked.mjs';
import { resource_life } from './resources.mjs';
import { eventually, fetch_as, start_server } from './support.mjs';
import { describe_task_sessions } from './task_sessions.mjs';

const connecting = (mode) => async (url, fetch) => {
  const client = new Client({ name: 'tests', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return client;
};

const call = (client, params, options) => client.callTool(params, options);

const on_tools_changed = (client, receiver) =>
  client.setNotificationHandler('notifications/tools/list_changed', receiver);

const on_resource_updated = (client, receiver) =>
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => receiver(params.uri));

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
  more: ({ server, client, call }) => {
    resource_life({
      server,
      client,
      watch: async (it, uri, receiver) => {
        on_resource_updated(it, receiver);
        const subscription = await it.listen({ resourceSubscriptions: [uri] });
        assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [uri] });
        return () => subscription.close();
      },
    });
    parked_results({
      server,
      client,
      call,
      connect_other: () => connecting('auto')(server().url, fetch_as('other')),
      connect_again: () => connecting('auto')(server().url, fetch),
    });
    test('the newest revision is agreed on, without a session', () => {
      assert.equal(client().getNegotiatedProtocolVersion(), '2026-07-28');
      assert.equal(client().getProtocolEra(), 'modern');
      assert.equal(client().transport.sessionId, undefined);
    });
    test('a subscription is acknowledged and told of changes', async () => {
      let told = 0;
      on_tools_changed(client(), () => ++told);
      const subscription = await client().listen({ toolsListChanged: true });
      assert.deepEqual(subscription.honoredFilter, { toolsListChanged: true });
      await call({ name: 'touch', arguments: {} });
      await eventually(() => told, (n) => n > 0);
      await subscription.close();
      assert.equal(await subscription.closed, 'local');
    });
    test('a handler that would hang up stays', async () => {
      const result = await call({ name: 'come_back', arguments: {} });
      assert.equal(result.content[0].text, 'welcome back');
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
  more: ({ server, client, call }) => {
    session_life({ server, connect: connecting('legacy') });
    resource_life({
      server,
      client,
      watch: async (it, uri, receiver) => {
        on_resource_updated(it, receiver);
        await it.subscribeResource({ uri });
        return () => it.unsubscribeResource({ uri });
      },
    });
    parked_results({ server, client, call, connect_other: () => connecting('legacy')(server().url, fetch) });
    streams_of_a_session({ client, call, on_tools_changed });
  },
});

test('client v2: a subscription ends gracefully when the server stops', async () => {
  const server = await start_server('auto');
  const client = await connecting('auto')(server.url, fetch);
  const subscription = await client.listen({ toolsListChanged: true });
  await server.close();
  assert.equal(await subscription.closed, 'graceful');
  await client.close();
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

for (const mode of ['auto', 'legacy']) describe_task_sessions(mode);
