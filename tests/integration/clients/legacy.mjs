// What legacy clients of both versions do alike.

import assert from 'node:assert/strict';
import { test } from 'node:test';

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
