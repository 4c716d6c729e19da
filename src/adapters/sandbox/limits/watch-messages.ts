import type { Excess } from '../../../domain/limits/sandbox-limits.js';
import type { WatchOrder } from './run-usage.js';

/** How often the usage of runs is checked. */
export const CHECK_MS = 250;

/** Messages to the watching thread. */
export type WatchMessage =
  | { readonly kind: 'watch'; readonly order: WatchOrder }
  | { readonly kind: 'forget'; readonly id: number };

/** Message from it: what this run takes too much of, or that it was forgotten as asked. The run is not watched any more in both cases. */
export interface WatchFinding {
  readonly id: number;
  readonly excess: Excess | null;
}
