// How figures are written.

/** Three or so significant digits; an empty cell where there is no figure. */
export function number(value) {
  if (value === undefined || !Number.isFinite(value)) return '';
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const mib = (kib) => (kib === undefined ? undefined : kib / 1024);
/** KiB as millions of bytes, as payloads are counted. */
export const mb = (kib) => (kib === undefined ? undefined : (kib * 1024) / 1e6);
