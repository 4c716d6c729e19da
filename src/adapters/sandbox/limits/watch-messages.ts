import type { Excess } from '../../../domain/limits/sandbox-limits.js';
import type { WatchOrder } from './run-usage.js';

/** How often it is looked at what runs use. */
export const CHECK_MS = 250;

/** To the thread that watches. */
export type WatchMessage =
  | { readonly kind: 'watch'; readonly order: WatchOrder }
  | { readonly kind: 'forget'; readonly id: number };

/** From it: what this run takes too much of, or that it was forgotten as asked. Either way it is not looked at any more. */
export interface WatchFinding {
  readonly id: number;
  readonly excess: Excess | null;
}
