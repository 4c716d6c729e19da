import type { Phase } from './phase.js';
import type { ReviewDepth } from './route.js';

/** What the person who started a run asked for. Absent means: decide by size and configuration. */
export interface RunOptions {
  readonly route?: 'patch' | 'pr';
  readonly review?: ReviewDepth;
  readonly base?: string;
  /** The last phase to run. */
  readonly stopAt?: Phase;
}

export const NO_OPTIONS: RunOptions = {};
