// What is made of results where that is measured.

/** The keys of the tools shaped_<name>_<size>, all of the same file. */
export const shapings = {
  pass: '',
  select_1: 'select: "$.rows[::100]"',
  select_100: 'select: $.rows',
  csv: 'format: csv',
  park: 'park: { over: 64KiB, preview: 4KiB }',
  page: 'page: { by: items, size: 200, items: $.rows }, format: csv',
};
