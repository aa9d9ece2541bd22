// The tables as text for a terminal, and as Markdown.

const is_figure = (cell) => cell === '' || /^-?[\d.,]+$/.test(cell);

/** Columns padded to the widest cell: figures to the right, words to the left. */
function text_table({ title, heads, rows, note }) {
  const columns = heads.map((head, i) => {
    const cells = rows.map((row) => row[i]);
    return {
      width: Math.max(head.length, ...cells.map((cell) => cell.length)),
      right: i > 0 && cells.every(is_figure),
    };
  });
  const pad = (cell, { width, right }) => (right ? cell.padStart(width) : cell.padEnd(width));
  const line = (row) =>
    row
      .map((cell, i) => pad(cell, columns[i]))
      .join('  ')
      .trimEnd();
  return [title, line(heads), ...rows.map(line), ...(note ? [note] : [])].join('\n');
}

export function markdown_table({ heads, rows, note }) {
  const line = (row) => `| ${row.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |');
  const table = [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
  return note ? `${table}\n\n${note}` : table;
}

/** Where and with what, in a paragraph. */
export function setting({ machine, settings, peers }) {
  const versions = Object.entries(peers ?? {})
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  return [
    `${machine.date.replace('T', ' ')} UTC, ${machine.cores} cores of ${machine.cpu} (${machine.simd[0] ?? 'no SIMD'}), ${machine.memory_gib} GiB, Linux ${machine.kernel}.`,
    `sluice ${machine.commit}, ${machine.compiler}, ${machine.flags}.`,
    versions ? `Peers: ${versions}.` : '',
    `Medians of ${settings.rounds} rounds of A B B A, ${settings.seconds} s each${settings.quick ? ' (a quick run)' : ''};`,
    `load average ${machine.load_at_start.toFixed(1)} at the start, ${machine.load_at_end.toFixed(1)} at the end (the run's own is about 1 to 2).`,
  ]
    .filter(Boolean)
    .join(' ');
}

export function as_text(report) {
  const parts = [setting(report), ...report.tables.map(text_table)];
  if (report.failures.length > 0) parts.push(['Failed or left out', ...report.failures].join('\n'));
  return parts.join('\n\n');
}

export function as_markdown(report) {
  const parts = [setting(report), ...report.tables.map((table) => `## ${table.title}\n\n${markdown_table(table)}`)];
  if (report.failures.length > 0)
    parts.push(`## Failed or left out\n\n${report.failures.map((line) => `- ${line}`).join('\n')}`);
  return `${parts.join('\n\n')}\n`;
}
