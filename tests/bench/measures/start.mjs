// From the start of the process to its first answer, and what it then takes when idle: sluice as it is shipped, peers with their
// reference tools.

import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contestants } from '../harness/contestants.mjs';
import { says_serving, start_server } from '../harness/servers.mjs';
import { start, status_kib, stop } from '../harness/processes.mjs';

/** One call on a connection of its own; resolves when the first bytes of a good answer are there. */
function first_answer(port, tool, args) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  const params = { name: tool, arguments: args, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    `Mcp-Name: ${tool}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`));
    socket.once('data', (data) => {
      socket.destroy();
      if (String(data).startsWith('HTTP/1.1 200')) done();
      else fail(new Error(`the first answer: ${data}`));
    });
    socket.on('error', fail);
  });
}

async function one(begin, tool, args) {
  const server = await begin();
  try {
    await first_answer(server.port, tool, args);
    const first_answer_ms = Number(process.hrtime.bigint() - server.begun) / 1e6;
    await sleep(300);
    return {
      first_answer_ms,
      idle_kb: status_kib(server.pid, 'VmRSS'),
      anonymous_kb: status_kib(server.pid, 'RssAnon'),
    };
  } catch (error) {
    return { error: error.message };
  } finally {
    await stop(server);
  }
}

export async function starting(bench) {
  if (!bench.wants({ section: 'start' })) return;
  const shipped = [join(bench.build, 'sluice'), 'serve', '-c', join(bench.source, 'config/sluice.yaml')];
  const env = { SLUICE_LISTEN: '127.0.0.1:0' };
  for (let round = 0; round < (bench.settings.quick ? 5 : 11); ++round) {
    const result = await one(() => start(shipped, { ready: says_serving, env }), 'about', {});
    bench.record({ section: 'start', who: 'sluice-shipped', round, ...result });
  }
  for (const contestant of contestants.filter((c) => c.peer && bench.is_here(c) && !bench.settings.quick)) {
    for (let round = 0; round < 3; ++round) {
      const result = await one(() => start_server(bench, contestant.server, ['1KB']), 'echo', { message: 'hello' });
      bench.record({ section: 'start', who: contestant.who, round, ...result });
    }
  }
}
