import type { RunOptions } from '../issue/options.js';
import type { Phase } from '../issue/phase.js';

/** Phases that can be done once more; the others are only stations between them. */
export const RETRY_PHASES = ['issue', 'spec', 'code', 'review', 'merge', 'verify'] as const satisfies readonly Phase[];
export type RetryPhase = (typeof RETRY_PHASES)[number];

/** What a batch is made of. */
export type BatchSource =
  /** The newest small issues that are triaged, this many. */
  | { readonly kind: 'count'; readonly count: number }
  /** These, in this order. */
  | { readonly kind: 'list'; readonly numbers: readonly number[] }
  /** What an interrupted batch has left. */
  | { readonly kind: 'resume' };

/** What a comment asks for. `number: null` means the issue it stands on. */
export type Command =
  /** Drive these issues; the one it stands on when none is named. */
  | { readonly kind: 'auto'; readonly numbers: readonly number[]; readonly options: RunOptions }
  /** Resume a stopped run with its options; those given here override them. */
  | { readonly kind: 'resume'; readonly number: number | null; readonly options: RunOptions }
  | { readonly kind: 'batch'; readonly of: BatchSource; readonly options: RunOptions }
  /** End the run at once. */
  | { readonly kind: 'stop'; readonly number: number | null }
  /** Pause after the current phase. */
  | { readonly kind: 'pause'; readonly number: number | null }
  /** Go on after a pause or a question; the text is what the person has to say to it. */
  | { readonly kind: 'continue'; readonly number: number | null; readonly text: string }
  /** Do a phase again, the one at hand when none is named. */
  | { readonly kind: 'retry'; readonly number: number | null; readonly phase: RetryPhase | null }
  | { readonly kind: 'status'; readonly number: number | null }
  | { readonly kind: 'explain'; readonly number: number | null }
  /** Let something through that waits for a person; the hash says which version of it. */
  | { readonly kind: 'approve'; readonly number: number | null; readonly hash: string | null }
  | { readonly kind: 'help' };

export type CommandKind = Command['kind'];

/** More issues than this in one command have to be confirmed with `--yes`. */
export const MAX_UNCONFIRMED = 20;

/** More than this in one command is refused. */
export const MAX_ISSUES = 200;
