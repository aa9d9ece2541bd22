// The reference tools with the official TypeScript SDK v2, as its documentation has it: a factory of servers behind
// createMcpHandler, under node:http.
//   node typescript.mjs --mode sse|json --folder PAYLOADS --sizes 1KB,1MB --upstream PORT      (prints "port N")

import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';

const option = { type: 'string' };
const { values } = parseArgs({ options: { mode: option, folder: option, sizes: option, upstream: option } });
const kept = values.sizes.split(',').map((size) => [size, readFileSync(join(values.folder, `${size}.json`), 'utf8')]);
const text = (value) => ({ content: [{ type: 'text', text: value }] });

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'reference', version: '1.0.0' });
    server.registerTool(
      'echo',
      { description: 'Says what it is told.', inputSchema: z.object({ message: z.string() }) },
      async ({ message }) => text(message),
    );
    server.registerTool(
      'get_data',
      { description: 'The table, fetched.', inputSchema: z.object({ bytes: z.number().int() }) },
      async ({ bytes }) => {
        const answer = await fetch(`http://127.0.0.1:${values.upstream}/data?bytes=${bytes}`);
        return text(await answer.text());
      },
    );
    for (const [size, table] of kept) {
      server.registerTool(`cached_${size}`, { description: 'The table, from memory.' }, async () => text(table));
    }
    return server;
  },
  { responseMode: values.mode },
);

const http = createServer(toNodeHandler(handler));
http.listen(0, '127.0.0.1', () => console.log(`port ${http.address().port}`));
