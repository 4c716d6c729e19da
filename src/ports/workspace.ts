import type { VerifyCommand } from '../domain/criteria/criterion.js';
import type { IssueRef, Oid } from '../domain/issue/ids.js';
import type { Mount } from './sandbox.js';

export interface CloneRequest {
  readonly ref: IssueRef;
  /** Names the folder: the same phase run finds its clone again. */
  readonly phaseRun: string;
  /** The commit to start from. */
  readonly at: Oid;
  /** Tip of the base branch: the only commit whose configuration is trusted. */
  readonly base: Oid;
  readonly signal: AbortSignal;
}

export type WorkspaceProblem =
  /** The repository uses something Sluice cannot work with yet. */
  | 'unsupported-repository'
  /** `.github/sluice.yml` on the base branch is wrong. */
  | 'invalid-config'
  /** The repository's setup command failed. */
  | 'setup-failed'
  /** What the agent left cannot be taken over. */
  | 'refused-result'
  /** The agent changed what only people may change. */
  | 'off-limits'
  /** What ran in it took more of the machine than it may. */
  | 'limits';

/** A clone cannot be used, for a reason trying again does not change. */
export class WorkspaceError extends Error {
  readonly problem: WorkspaceProblem;
  /** What a person can do; empty where the kind of problem says it. */
  readonly remedy: string;

  constructor(problem: WorkspaceProblem, message: string, remedy: string) {
    super(message);
    this.name = 'WorkspaceError';
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** The work is whole and in the host's repository, but changes what only people may change: nobody but a person may let it go further. */
export class OffLimitsError extends WorkspaceError {
  readonly commit: Oid;
  readonly paths: readonly string[];

  constructor(commit: Oid, paths: readonly string[]) {
    super('off-limits', `The work changes ${paths.slice(0, 3).join(', ')}.`, '');
    this.name = 'OffLimitsError';
    this.commit = commit;
    this.paths = paths;
  }
}

export interface CommandOutcome {
  readonly passed: boolean;
  /** It was ended because its time was up: what it would have said is not known. */
  readonly timedOut?: true;
  /** It was ended because it took more of the machine than it may. */
  readonly overLimit?: true;
  /** What it printed; of very much, the beginning and the end. */
  readonly output: string;
}

/** A checkout of its own for one phase run. Everything in it runs in the sandbox. */
export interface Clone {
  readonly path: string;
  /** HOME of everything that runs here; removed with the clone. */
  readonly home: string;
  /** All of the host that a process here may see: the checkout, the home, the mirror it borrows objects from. */
  readonly mounts: readonly Mount[];
  /** Commands of the repository's configuration and of criteria. */
  run(command: string, signal: AbortSignal): Promise<CommandOutcome>;
  check(command: VerifyCommand, signal: AbortSignal): Promise<CommandOutcome>;
  /**
   * What the agent left: its commits with everything uncommitted added, taken over into the host's repository. `null` when nothing
   * changed; an `OffLimitsError` where it changes what only people may change. `essentials` leaves out files that are not committed and
   * large, or very many: for a clone that was filled up.
   */
  collect(message: string, signal: AbortSignal, extent?: 'all' | 'essentials'): Promise<Oid | null>;
  dispose(): Promise<void>;
}

export interface Workspace {
  open(request: CloneRequest): Promise<Clone>;
}
