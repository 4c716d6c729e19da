import type { RunOptions } from '../issue/options.js';
import type { Phase } from '../issue/phase.js';

/** Phases that can be repeated. The others, `ready` and `done`, have no work of their own. */
export const RETRY_PHASES = ['issue', 'spec', 'code', 'review', 'merge', 'verify'] as const satisfies readonly Phase[];
export type RetryPhase = (typeof RETRY_PHASES)[number];

/** What a batch is made of. */
export type BatchSource =
  /** The newest small issues that are triaged, this many. */
  | { readonly kind: 'count'; readonly count: number }
  /** These, in this order. */
  | { readonly kind: 'list'; readonly numbers: readonly number[] }
  /** The remaining issues of an interrupted batch. */
  | { readonly kind: 'resume' };

/** What a comment asks for. `number: null` means the issue the comment is on. */
export type Command =
  /** Drive these issues, or the issue the comment is on when none is named. */
  | { readonly kind: 'auto'; readonly numbers: readonly number[]; readonly options: RunOptions }
  /** Resume a stopped run with its options; those given here override them. */
  | { readonly kind: 'resume'; readonly number: number | null; readonly options: RunOptions }
  | { readonly kind: 'batch'; readonly of: BatchSource; readonly options: RunOptions }
  /** End the run at once. */
  | { readonly kind: 'stop'; readonly number: number | null }
  /** Pause after the current phase. */
  | { readonly kind: 'pause'; readonly number: number | null }
  /** Continue after a pause or a question. The text is the person's answer. */
  | { readonly kind: 'continue'; readonly number: number | null; readonly text: string }
  /** Repeat a phase: the current one when none is named. */
  | { readonly kind: 'retry'; readonly number: number | null; readonly phase: RetryPhase | null }
  | { readonly kind: 'status'; readonly number: number | null }
  | { readonly kind: 'explain'; readonly number: number | null }
  /** Approve something that waits for a person. The hash names the version. */
  | { readonly kind: 'approve'; readonly number: number | null; readonly hash: string | null }
  | { readonly kind: 'help' };

export type CommandKind = Command['kind'];

/** More issues than this in one command have to be confirmed with `--yes`. */
export const MAX_UNCONFIRMED = 20;

/** More than this in one command is refused. */
export const MAX_ISSUES = 200;
