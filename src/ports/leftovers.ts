import type { IssueRef } from '../domain/issue/ids.js';
import type { Clone } from './workspace.js';

/** A clone whose service died. Only one finder gets it. */
export interface Leftover {
  readonly ref: IssueRef;
  readonly phaseRun: string;
  /** What the clone was for within its phase run. */
  readonly name: string;
  /** Gives access to the work; `null` when the clone was never complete. */
  readonly clone: Clone | null;
  /** Releases it, so that it can be found again later. */
  giveBack(): Promise<void>;
  dispose(): Promise<void>;
}

/** Clones in which nothing works any more. */
export interface Leftovers {
  /** Returns some of them, never one whose service may be alive. */
  find(): Promise<readonly Leftover[]>;
}
