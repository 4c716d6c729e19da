import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';
import type { Oid } from './repository.js';

export type CheckStatus = 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending';
export type CheckConclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'timed_out'
  | 'action_required'
  | 'stale'
  | 'skipped'
  | 'startup_failure';

/** All check runs of one App on one commit. */
export interface CheckSuite extends Row {
  readonly repositoryId: number;
  readonly appId: number;
  readonly headOid: Oid;
  readonly headBranch: string | null;
  /** Where the branch stood before the push that brought this head. */
  readonly beforeOid: Oid | null;
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly message: string;
  readonly title: string | null;
  readonly rawDetails: string | null;
}

export interface CheckRun extends Row {
  readonly repositoryId: number;
  readonly suiteId: number;
  readonly appId: number;
  readonly headOid: Oid;
  readonly name: string;
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
  readonly externalId: string;
  readonly detailsUrl: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
  readonly annotations: readonly CheckAnnotation[];
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
}

export type StatusState = 'error' | 'failure' | 'pending' | 'success';

/** A commit status. The newest per context counts. */
export interface CommitStatus extends Row {
  readonly repositoryId: number;
  readonly oid: Oid;
  readonly state: StatusState;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creatorId: number;
  readonly createdAt: Instant;
}
