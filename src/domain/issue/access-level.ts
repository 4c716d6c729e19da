/** What somebody may ask of Sluice in a repository, now. */
export type AccessLevel =
  /** Everything: whoever may push may have Sluice push. */
  | 'write'
  /** Only what changes nothing. */
  | 'triage'
  | 'none';
