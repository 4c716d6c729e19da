export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** How fast a value grows: the line that fits its samples best. */
export function slopePerMinute(samples: readonly { readonly atMs: number; readonly value: number }[]): number {
  if (samples.length < 2) return 0;
  const mean = (of: (sample: (typeof samples)[number]) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.atMs), mean((sample) => sample.value)];
  const spread = mean((sample) => (sample.atMs - at) ** 2);
  return (mean((sample) => (sample.atMs - at) * (sample.value - value)) / spread) * 60_000;
}
