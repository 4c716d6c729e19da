import type { HaltCode } from './halt-codes.js';
import type { Phase } from './phase.js';
import type { ReviewDepth } from './route.js';

/** How capable and expensive the model is. The configuration maps tiers to models. */
export const MODEL_TIERS = ['heavy', 'medium', 'light'] as const;
export type ModelTier = (typeof MODEL_TIERS)[number];

/** What the person who started a run asked for. Absent means: decide by size and configuration. */
export interface RunOptions {
  readonly route?: 'patch' | 'pr';
  readonly review?: ReviewDepth;
  readonly base?: string;
  /** The last phase to run. */
  readonly stopAt?: Phase;
  /** The tier of every agent run, instead of the one for the phase and size. */
  readonly model?: ModelTier;
  /** What the whole run may cost. */
  readonly budgetUsd?: number;
  /** How long the agents of this run may work; waiting does not count. */
  readonly timeoutMin?: number;
  /** How many agent runs there may be, all phases together. */
  readonly maxIterations?: number;
  /** Only say what would be done. */
  readonly dryRun?: boolean;
}

export const NO_OPTIONS: RunOptions = {};

/**
 * The options of a resumed run: the earlier ones, overridden by those given now. The option that stopped the run is dropped,
 * because resuming means going past it.
 */
export function continuedOptions(before: RunOptions, given: RunOptions, stoppedFor: HaltCode | null): RunOptions {
  const { stopAt, base, ...rest } = before;
  return {
    ...rest,
    ...(stopAt === undefined || stoppedFor === 'stopped-at' ? {} : { stopAt }),
    ...(base === undefined || stoppedFor === 'base-missing' ? {} : { base }),
    ...given,
  };
}
