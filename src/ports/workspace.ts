import type { VerifyCommand } from '../domain/criteria/criterion.js';
import type { IssueRef, Oid } from '../domain/issue/ids.js';
import type { Mount } from './sandbox.js';

export interface CloneRequest {
  readonly ref: IssueRef;
  /** Names the folder, so that the same phase run finds its clone again. */
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
  /** The agent's work cannot be taken over. */
  | 'refused-result'
  /** The agent changed protected files. */
  | 'off-limits'
  /** A command in it exceeded a sandbox limit. */
  | 'limits';

/** A clone cannot be used, and trying again does not help. */
export class WorkspaceError extends Error {
  readonly problem: WorkspaceProblem;
  /** What a person can do; empty when the kind of problem already says it. */
  readonly remedy: string;

  constructor(problem: WorkspaceProblem, message: string, remedy: string) {
    super(message);
    this.name = 'WorkspaceError';
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** The work is complete and in the host's repository, but changes protected files. A person must approve it. */
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
  /** It was ended because its time was up, so its result is unknown. */
  readonly timedOut?: true;
  /** It was ended because it exceeded a sandbox limit. */
  readonly overLimit?: true;
  /** Its output; if it is long, only the beginning and the end. */
  readonly output: string;
}

/** A separate checkout for one phase run. Everything in it runs in the sandbox. */
export interface Clone {
  readonly path: string;
  /** HOME of everything that runs here; removed with the clone. */
  readonly home: string;
  /** All paths of the host that a process here may see: the checkout, the home, the mirror it borrows objects from. */
  readonly mounts: readonly Mount[];
  /** Commands of the repository's configuration and of criteria. */
  run(command: string, signal: AbortSignal): Promise<CommandOutcome>;
  check(command: VerifyCommand, signal: AbortSignal): Promise<CommandOutcome>;
  /**
   * Takes the agent's work into the host's repository: its commits, plus everything uncommitted. `null` when nothing
   * changed; throws an `OffLimitsError` if it changes protected files. `essentials` leaves out files that are not committed and
   * large or very many, for a clone that was filled up.
   */
  collect(message: string, signal: AbortSignal, extent?: 'all' | 'essentials'): Promise<Oid | null>;
  dispose(): Promise<void>;
}

export interface Workspace {
  open(request: CloneRequest): Promise<Clone>;
}
