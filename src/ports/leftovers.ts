import type { IssueRef } from '../domain/issue/ids.js';
import type { Clone } from './workspace.js';

/** A clone whose service died. Whoever has found it is the only one to have it. */
export interface Leftover {
  readonly ref: IssueRef;
  readonly phaseRun: string;
  /** What the clone was for within its phase run. */
  readonly name: string;
  /** To take the work out of it; `null` when the clone had never become whole. */
  readonly clone: Clone | null;
  /** Leaves it to be found again later. */
  giveBack(): Promise<void>;
  dispose(): Promise<void>;
}

/** Clones nobody works in any more. */
export interface Leftovers {
  /** Some of them; never one whose service may be alive. */
  find(): Promise<readonly Leftover[]>;
}
