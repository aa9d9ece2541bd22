// The real servers that sluice is measured beside, from the npm registry: installed once into tests/bench/peers, versions pinned
// there. The Node.js that runs them comes the same way.

import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';

const folder = new URL('../peers', import.meta.url).pathname;
const modules = join(folder, 'node_modules');
const lock = join(folder, 'package-lock.json');
const installed = join(modules, '.installed');

export const peer_file = (name) => join(folder, name);
export const peer_node = () => {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  return join(modules, `node-linux-${arch}/bin/node`);
};
export const toolbox = () => join(modules, '@toolbox-sdk/server-linux-x64/bin/toolbox');

const version_of = (name) => {
  const file = join(modules, name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : 'none for this machine';
};
export const peer_versions = () => ({
  'Node.js': version_of(`node-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`),
  '@modelcontextprotocol/server': version_of('@modelcontextprotocol/server'),
  '@modelcontextprotocol/node': version_of('@modelcontextprotocol/node'),
  'MCP Toolbox': version_of('@toolbox-sdk/server-linux-x64'),
});

/** Installs what package-lock.json names, where that is not there already. Gives why it could not, or nothing. */
export async function install_peers() {
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return undefined;
  try {
    await run(['npm', 'ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'], { seconds: 600 });
    copyFileSync(lock, installed);
    return undefined;
  } catch (error) {
    return `npm ci in tests/bench/peers failed: ${error.complaint ?? error.message}`;
  }
}
