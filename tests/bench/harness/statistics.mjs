// Medians, and ratios between contestants that took turns.

export const median = (values) => {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The readings that have these properties and did not fail. */
export const matching = (readings, wanted) =>
  readings.filter((r) => !r.error && Object.entries(wanted).every(([key, value]) => r[key] === value));

/** The median of one figure over the readings that match. */
export const figure = (readings, wanted, key) => median(matching(readings, wanted).map((r) => r[key]));

/** The largest of one figure over the readings that match: for peaks, where a median would hide one. */
export const largest = (readings, wanted, key) => {
  const values = matching(readings, wanted).map((r) => r[key]);
  return values.length > 0 ? Math.max(...values) : undefined;
};

/** How `who` stands beside `other`: the median over the rounds of what each round gives. In a round they stood as A B B A,
 *  so what drifts while it lasts cancels. */
export function ratio(readings, wanted, who, other, key) {
  const rounds = new Set(matching(readings, { ...wanted, who }).map((r) => r.round));
  const each = [...rounds].map((round) => {
    const [a, b] = [who, other].map((w) => matching(readings, { ...wanted, who: w, round }).map((r) => r[key]));
    return a.length > 0 && b.length > 0 ? mean(a) / mean(b) : NaN;
  });
  return median(each);
}
