import type { RepoRef } from '../domain/ids.js';
import type { Account } from '../domain/snapshot.js';
import type { Role } from '../ports/github.js';
import type { Observer } from './engine.js';

/** What somebody may ask of Sluice in a repository, now. */
export type Standing =
  /** Everything: whoever may push may have Sluice push. */
  | 'drives'
  /** Only what changes nothing. */
  | 'asks'
  | 'none';

const STANDINGS: Readonly<Record<Role, Standing>> = {
  admin: 'drives',
  maintain: 'drives',
  write: 'drives',
  triage: 'asks',
  read: 'none',
  none: 'none',
};

/** Asked of GitHub each time, by id: names change hands. Machines have none, whatever their role. */
export async function standingOf(engine: Pick<Observer, 'github'>, repo: RepoRef, account: Account): Promise<Standing> {
  if (account.kind !== 'human' || account.login.endsWith('[bot]')) return 'none';
  return STANDINGS[await engine.github.roleOf(repo, account)];
}
