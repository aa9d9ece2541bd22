// The reference payload, at every size, as the upstream gives it: so that what is kept in memory and what is fetched are the same.

import { join } from 'node:path';
import { statSync, writeFileSync } from 'node:fs';

export const sizes = { '1KB': 1e3, '100KB': 1e5, '1MB': 1e6, '10MB': 1e7, '20MB': 2e7, '100MB': 1e8 };

/** What the tool echo is told, and says. */
export const message = 'The quick brown fox jumps over the lazy dog.';

/** Writes the payload of every size of `names` below `folder`, and the message. */
export async function write_payloads(folder, upstream_port, names) {
  for (const name of names) {
    const answer = await fetch(`http://127.0.0.1:${upstream_port}/data?bytes=${sizes[name]}`);
    writeFileSync(payload_file(folder, name), Buffer.from(await answer.arrayBuffer()));
  }
  writeFileSync(join(folder, 'message.txt'), message);
}

export const payload_file = (folder, name) => join(folder, `${name}.json`);
export const payload_bytes = (folder, name) => statSync(payload_file(folder, name)).size;
