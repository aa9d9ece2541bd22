// What legacy clients of both versions do alike.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './support.mjs';

export async function pages_of(client) {
  const pages = [];
  let cursor;
  do {
    const page = await client.listTools({ cursor });
    pages.push(page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

export function session_life({ server, connect }) {
  test('a session ends with DELETE, and its id is unknown from then on', async () => {
    const client = await connect(server().url, fetch);
    const { transport } = client;
    const id = transport.sessionId;
    assert.ok(id);
    const ping = () =>
      fetch(server().url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-11-25',
          'Mcp-Session-Id': id,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'ping' }),
      });
    const alive = await ping();
    assert.equal(alive.status, 200);
    await alive.text();
    await transport.terminateSession();
    assert.equal(transport.sessionId, undefined);
    const gone = await ping();
    assert.equal(gone.status, 404);
    await gone.text();
    await client.close();
  });
}

// `on_tools_changed(client, receiver)` registers for word of it.
export function streams_of_a_session({ client, call, on_tools_changed }) {
  test('word of a change comes on the GET stream', async () => {
    let told = 0;
    on_tools_changed(client(), () => ++told);
    await call({ name: 'touch', arguments: {} });
    await eventually(() => told, (n) => n > 0);
  });
  test('a client that was hung up on comes back for the result', async () => {
    const result = await call({ name: 'come_back', arguments: {} });
    assert.equal(result.content[0].text, 'welcome back');
  });
}
