/** How often the same thing may be tried again. */
export type RetryClass =
  /** The next look may find it gone. */
  | 'transient'
  /** Trying again changes nothing until somebody acts. */
  | 'permanent';
