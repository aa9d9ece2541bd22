// The official client, version 1: legacy sessions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe_asking } from './asking.mjs';
import { describe_client } from './scenarios.mjs';
import { pages_of, session_life, streams_of_a_session } from './legacy.mjs';
import { parked_results } from './parked.mjs';
import { resource_life } from './resources.mjs';
import { task_life } from './tasks.mjs';

async function connect(url, fetch) {
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return client;
}

describe_client('client v1', {
  connect,
  call: (client, params, options) => client.callTool(params, undefined, options),
  pages: pages_of,
  on_log: async (client, level, receiver) => {
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => receiver(params));
    await client.setLoggingLevel(level);
  },
  closing: (client) => client?.transport.terminateSession(),
  more: ({ server, client, call }) => {
    session_life({ server, connect });
    streams_of_a_session({
      client,
      call,
      on_tools_changed: (it, receiver) => it.setNotificationHandler(ToolListChangedNotificationSchema, receiver),
    });
    resource_life({
      server,
      client,
      watch: async (it, uri, receiver) => {
        it.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => receiver(params.uri));
        await it.subscribeResource({ uri });
        return () => it.unsubscribeResource({ uri });
      },
    });
    parked_results({ server, client, call, connect_other: () => connect(server().url, fetch) });
    task_life({ client });
    test('the newest legacy revision is agreed on', () => {
      assert.equal(client().transport.protocolVersion, '2025-11-25');
      assert.equal(client().getServerVersion().name, 'clients');
    });
  },
});

describe_asking('client v1', {
  connect: async (url, capabilities, answer, fetch) => {
    const client = new Client({ name: 'tests', version: '1' }, { capabilities });
    if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, answer);
    if (capabilities.sampling) client.setRequestHandler(CreateMessageRequestSchema, answer);
    if (capabilities.roots) client.setRequestHandler(ListRootsRequestSchema, answer);
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    return client;
  },
  call: (client, params) => client.callTool(params),
});
