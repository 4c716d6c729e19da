/** How often the same thing may be tried again. */
export type RetryClass =
  /** The problem may be gone at the next try. */
  | 'transient'
  /** Trying again changes nothing until somebody acts. */
  | 'permanent';
