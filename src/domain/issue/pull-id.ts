/** What a pull request is known by for good: nobody else's can have it, whatever its branch is called. */
export interface PullId {
  readonly number: number;
  /** Its node id. */
  readonly id: string;
}
