export const SIZES = ['XS', 'S', 'M', 'L', 'XL'] as const;
export type Size = (typeof SIZES)[number];

export function parseSize(text: string | null | undefined): Size | null {
  return SIZES.find((size) => size === text?.trim().toUpperCase()) ?? null;
}
