import type { CheckRun, CommitStatus, Oid, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { latestRuns, latestStatuses, runState } from './required.js';

export type RollupState = 'ERROR' | 'FAILURE' | 'PENDING' | 'SUCCESS';

/** All that was reported on a commit, checks and statuses alike. */
export interface Rollup {
  readonly repositoryId: number;
  readonly oid: Oid;
  readonly runs: readonly CheckRun[];
  readonly statuses: readonly CommitStatus[];
}

/** `null` when nobody has reported anything. */
export function rollupOf(db: Tables, repository: Repository, oid: Oid): Rollup | null {
  const runs = latestRuns(db, repository, oid);
  const statuses = latestStatuses(db, repository, oid);
  return runs.length + statuses.length === 0 ? null : { repositoryId: repository.id, oid, runs, statuses };
}

export function rollupState({ runs, statuses }: Pick<Rollup, 'runs' | 'statuses'>): RollupState {
  const states = runs.map(runState);
  const reported = statuses.map((status) => status.state);
  if (states.includes('failing') || reported.includes('failure')) return 'FAILURE';
  if (reported.includes('error')) return 'ERROR';
  return states.includes('pending') || reported.includes('pending') ? 'PENDING' : 'SUCCESS';
}
