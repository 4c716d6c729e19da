/** From the smallest to the largest. Each size has at least the safeguards of the smaller ones: a spec, a pull request, a full review. */
export const SIZES = ['XS', 'S', 'M', 'L', 'XL'] as const;
export type Size = (typeof SIZES)[number];

export function parseSize(text: string | null | undefined): Size | null {
  return SIZES.find((size) => size === text?.trim().toUpperCase()) ?? null;
}

/** Whether the route of the first size has more safeguards than that of the second. */
export const isStronger = (size: Size, than: Size): boolean => SIZES.indexOf(size) > SIZES.indexOf(than);
