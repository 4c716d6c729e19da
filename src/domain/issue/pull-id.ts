/** Identifies a pull request permanently. A branch name does not, since other pull requests can use the same one. */
export interface PullId {
  readonly number: number;
  /** Its node id. */
  readonly id: string;
}
