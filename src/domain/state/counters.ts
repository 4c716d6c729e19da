/** Everything that bounds a run. Only failures and no-progress can fail a phase; the rest bound loops. */
export interface Counters {
  /** Agent runs of this drive, all phases together. */
  readonly agentRuns: number;
  /** Consecutive failures of the phase at hand. */
  readonly failures: number;
  /** Runs that did their share and had no turns left. */
  readonly partialRuns: number;
  /** Runs in a row that never had a chance: quota, provider, setup. */
  readonly neverRan: number;
  /** Runs of the phase at hand that were cut off in a row because the service died. No failure of the issue. */
  readonly crashes: number;
  /** Runs in a row after which everything was as before. Never given back. */
  readonly noProgress: number;
  /** How long agents have worked. Waiting does not count. */
  readonly activeMs: number;
  readonly reviewRounds: number;
  /** Times the code was worked on because a person's review asked for it. */
  readonly peopleRounds: number;
  readonly checkFixes: number;
  /** Times the work had to be brought together with its base branch. */
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
