// The payloads as rows of an SQLite file, for the MCP Toolbox: node make_sqlite.mjs FILE PAYLOADS 1KB,1MB

import { DatabaseSync } from 'node:sqlite';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [file, folder, sizes] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('CREATE TABLE kept (name TEXT PRIMARY KEY, body TEXT NOT NULL)');
const insert = database.prepare('INSERT INTO kept VALUES (?, ?)');
for (const size of sizes.split(',')) insert.run(size, readFileSync(join(folder, `${size}.json`), 'utf8'));
database.close();
