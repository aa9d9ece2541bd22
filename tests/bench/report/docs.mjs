// Puts the tables where people read them: between the marks in README.md and in tests/bench/README.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { as_markdown, markdown_table, setting } from './write.mjs';

const kBegin = '<!-- figures: begin (node tests/bench/run.mjs --docs) -->';
const kEnd = '<!-- figures: end -->';

/** What the front page shows; the rest stands in tests/bench. */
const kFront = [
  /^Goals$/,
  /^Small call \(echo\), calls/,
  /^get_data_cached, MB/,
  /^get_data \(from/,
  /^CPU of the server, ms per call/,
  /^32 slow readers/,
];

function put(file, text) {
  const old = readFileSync(file, 'utf8');
  const begin = old.indexOf(kBegin);
  const end = old.indexOf(kEnd);
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for figures: ${kBegin} ... ${kEnd}`);
  writeFileSync(file, `${old.slice(0, begin)}${kBegin}\n${text.trim()}\n${old.slice(end)}`);
}

/** Without the columns that stay in tests/bench: 1 KB, and 64 connections at sizes. */
function front_table({ title, heads, rows, note }) {
  const kept = heads.map((head) => !/^1 KB|B x64$/.test(head));
  const of = (row) => row.filter((_, i) => kept[i]);
  const [first, ...rest] = of(heads);
  return markdown_table({ heads: [first || title, ...rest], rows: rows.map(of), note });
}

export function put_into_docs(source, report) {
  put(join(source, 'tests/bench/README.md'), as_markdown(report));
  const front = report.tables.filter(({ title }) => kFront.some((pattern) => pattern.test(title)));
  const noise = report.tables.filter(({ title }) => title.startsWith('Noise'));
  put(join(source, 'README.md'), [setting(report), ...[...front, ...noise].map(front_table)].join('\n\n'));
}
