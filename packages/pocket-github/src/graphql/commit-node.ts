import type { Oid } from '../world/model.js';

/** Source of GraphQL's `Commit`: which commit of which repository. What it says is read from git by the fields that need it. */
export interface CommitNode {
  readonly repositoryId: number;
  readonly oid: Oid;
}
