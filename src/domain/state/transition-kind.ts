/** The kind of a history entry, if code depends on it. */
export const TRANSITION_KINDS = [
  /** An instance took the issue for a phase run. */
  'taken',
  /* How a phase run ended. */
  'done',
  'failed',
  'partial',
  'needs-human',
  'never-ran',
  'stopped',
  /* Why the code has to be worked on again. */
  'fix-checks',
  'fix-review',
  'fix-verify',
  'fix-conflict',
  'fix-tests',
  'fix-people',
] as const;
export type TransitionKind = (typeof TRANSITION_KINDS)[number];
