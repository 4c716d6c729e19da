/** What a person may currently ask of Sluice in a repository. */
export type AccessLevel =
  /** Everything: people who may push may also let Sluice push. */
  | 'write'
  /** Only commands that change nothing. */
  | 'triage'
  | 'none';
