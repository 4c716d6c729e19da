import type { VerifyCommand } from '../domain/criteria.js';
import type { IssueRef, Oid } from '../domain/ids.js';

export interface CloneRequest {
  readonly ref: IssueRef;
  /** Names the folder: the same phase run finds its clone again. */
  readonly phaseRun: string;
  /** The commit to start from. */
  readonly at: Oid;
  readonly signal: AbortSignal;
}

export interface CommandOutcome {
  readonly passed: boolean;
  /** The end of what it printed. */
  readonly output: string;
}

/** A checkout of its own for one phase run. Everything in it runs in the sandbox. */
export interface Clone {
  readonly path: string;
  /** HOME of everything that runs here; removed with the clone. */
  readonly home: string;
  /** Commands of the repository's configuration and of criteria. */
  run(command: string, signal: AbortSignal): Promise<CommandOutcome>;
  check(command: VerifyCommand, signal: AbortSignal): Promise<CommandOutcome>;
  /** What the agent left: its commits with everything uncommitted added, taken over into the host's repository. `null` when nothing changed. */
  collect(message: string, signal: AbortSignal): Promise<Oid | null>;
  dispose(): Promise<void>;
}

export interface Workspace {
  open(request: CloneRequest): Promise<Clone>;
}
