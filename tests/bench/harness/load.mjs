// One run of the load client: which call, how many at once, for how long.

import { join } from 'node:path';
import { message, payload_bytes, payload_file, sizes } from './payloads.mjs';
import { run } from './processes.mjs';

/** The load client and the upstream share this core; servers have the other. */
export const kLoadCore = 1;
export const kServerCore = 0;

/** Which tool of the reference tools is meant, as the load client's options. Every contestant has them under these names. */
export function call_of(bench, tool, size) {
  if (tool === 'echo') {
    return { tool, arguments: JSON.stringify({ message }), expect: join(bench.folder, 'message.txt') };
  }
  const call = { payload: payload_bytes(bench.folder, size), expect: payload_file(bench.folder, size) };
  if (tool === 'get_data') return { ...call, tool, arguments: JSON.stringify({ bytes: sizes[size] }) };
  return { ...call, tool: `${tool}_${size}`, arguments: '{}' };
}

/** Runs the load client against `server`; gives its figures, or { error } with what it complained about. */
export async function load(bench, contestant, server, options) {
  const { tool, size, ...rest } = options;
  const call = call_of(bench, tool, size);
  if (contestant.own_text) delete call.expect;
  const argv = [join(bench.build, 'load'), '--port', server.port, '--pid', server.pid];
  const all = { ...call, accept: contestant.accept, era: contestant.era ?? 'modern', ...rest };
  for (const [key, value] of Object.entries(all)) {
    if (value === undefined) continue;
    argv.push(`--${key}`);
    if (value !== true) argv.push(value);
  }
  try {
    return JSON.parse(await run(argv.map(String), { core: kLoadCore }));
  } catch (error) {
    return { error: error.message };
  }
}
