// The tables, by measure, from the readings.

import { growth_tables } from './growth_tables.mjs';
import { memory_tables } from './memory_tables.mjs';
import { cell_name, titles } from './shape.mjs';
import { noise_table, speed_tables } from './speed_tables.mjs';

/** Every table that has a row. */
export function tables(readings) {
  const all = [
    ...speed_tables(readings),
    ...memory_tables(readings),
    ...growth_tables(readings),
    noise_table(readings),
  ];
  return all.filter((table) => table.rows.length > 0);
}

/** What failed, a line for each kind. */
export function failures(readings) {
  const failed = readings.filter((r) => r.error);
  return [...new Set(failed.map((r) => `${r.section}, ${cell_name(r)}, ${titles.get(r.who) ?? r.who}: ${r.error}`))];
}
