/** The counters that limit a run. Only `failures` and `noProgress` can fail a phase; the others end loops. */
export interface Counters {
  /** Agent runs of this drive, all phases together. */
  readonly agentRuns: number;
  /** Consecutive failures of the current phase. */
  readonly failures: number;
  /** Runs that did a part of the work and used all their turns. */
  readonly partialRuns: number;
  /** Runs in a row that could not start: quota, provider, setup. */
  readonly neverRan: number;
  /** Runs of the current phase in a row that ended because the service died. They are not failures of the issue. */
  readonly crashes: number;
  /** Runs in a row that changed nothing. Never given back. */
  readonly noProgress: number;
  /** How long agents have worked. Waiting does not count. */
  readonly activeMs: number;
  readonly reviewRounds: number;
  /** Times the code was worked on because a person's review asked for it. */
  readonly peopleRounds: number;
  readonly checkFixes: number;
  /** How often conflicts with the base branch had to be resolved. */
  readonly conflictFixes: number;
  readonly verifyIterations: number;
  readonly mergeTries: number;
}

export const NO_COUNTERS: Counters = {
  agentRuns: 0,
  failures: 0,
  partialRuns: 0,
  neverRan: 0,
  crashes: 0,
  noProgress: 0,
  activeMs: 0,
  reviewRounds: 0,
  peopleRounds: 0,
  checkFixes: 0,
  conflictFixes: 0,
  verifyIterations: 0,
  mergeTries: 0,
};
