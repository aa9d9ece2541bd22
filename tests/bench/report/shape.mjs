// What the tables have in common: { title, heads, rows, note }, a row for each contestant that has a figure.

import { contestants } from '../harness/contestants.mjs';
import { number } from './numbers.mjs';

/** In the order of the rows: sluice, the limits, peers. The second process of sluice stands in the table of noise alone. */
const rank = ({ who, peer }) => (who.startsWith('sluice') ? 0 : peer ? 2 : 1);
const shown = contestants.filter((c) => !c.noise).sort((a, b) => rank(a) - rank(b) || b.tools.length - a.tools.length);
export const titles = new Map([...shown.map((c) => [c.who, c.title]), ['sluice-shipped', 'sluice, as shipped']]);

/** How a cell is named: "get_data 10 MB x8". */
export function cell_name({ tool, size, connections }) {
  const name = { echo: 'small call', cached: 'cached' }[tool] ?? tool;
  return [name, size?.replace(/(\d+)(\w+)/, '$1 $2'), connections && `x${connections}`].filter(Boolean).join(' ');
}

/** Leaves out rows and columns without a figure. */
export function filled({ title, heads, rows, note }) {
  const used = heads.map((_, i) => i === 0 || rows.some((row) => row[i] !== ''));
  const kept = (row) => row.filter((_, i) => used[i]);
  const with_figures = rows.filter((row) => row.slice(1).some((cell) => cell !== ''));
  return { title, heads: kept(heads), rows: with_figures.map(kept), note };
}

/** A column for each of `columns`: { head, value(who) }. */
export function by_contestant(title, columns, note) {
  const rows = [...titles].map(([who, name]) => [name, ...columns.map((column) => number(column.value(who)))]);
  return filled({ title, heads: ['', ...columns.map((column) => column.head)], rows, note });
}
