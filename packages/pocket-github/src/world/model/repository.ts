import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';
import type { Role } from './account.js';

export type Oid = string;

export interface Repository extends Row {
  readonly ownerId: number;
  readonly name: string;
  /** Former names, which redirect. */
  readonly formerNames: readonly string[];
  /** The repository it is a fork of. */
  readonly parentId: number | null;
  readonly description: string | null;
  readonly private: boolean;
  readonly archived: boolean;
  readonly defaultBranch: string;
  readonly allowMergeCommit: boolean;
  readonly allowSquashMerge: boolean;
  readonly allowRebaseMerge: boolean;
  readonly allowAutoMerge: boolean;
  readonly deleteBranchOnMerge: boolean;
  /** The next issue or pull request number. */
  readonly nextNumber: number;
  /** How CI answers a pushed head. */
  readonly ci: readonly CiJob[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly pushedAt: Instant;
}

/** A command that runs on every pushed head in a real checkout and reports a check run called `name`. */
export interface CiJob {
  readonly name: string;
  readonly run: string;
  readonly timeoutMs: number;
}

export interface Collaborator extends Row {
  readonly repositoryId: number;
  readonly userId: number;
  readonly role: Role;
}

/** A ref of the bare repository, mirrored here so that reads need no git process. Full name, e.g. `refs/heads/main`. */
export interface Ref extends Row {
  readonly repositoryId: number;
  readonly name: string;
  readonly oid: Oid;
}
