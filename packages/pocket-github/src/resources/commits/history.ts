import type { GitCommit, GitPerson } from '../../git/git-repository.js';
import { findUser } from '../../world/lookup.js';
import type { Oid } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { World } from '../../world/world.js';

/** Which commits of a history are wanted; everything that is left out does not matter. */
export interface HistoryFilter {
  readonly path?: string | null | undefined;
  /** ISO 8601, by the committer's date. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  /** Addresses, one of which the author has. */
  readonly authors?: readonly string[] | undefined;
  readonly committers?: readonly string[] | undefined;
}

/** The commits that lead to `tip`, newest first. */
export async function historyOf(
  world: World,
  repositoryId: number,
  tip: Oid,
  filter: HistoryFilter,
): Promise<readonly GitCommit[]> {
  const path = filter.path?.replaceAll(/^\/|\/$/g, '') ?? '';
  const commits = await world.git(repositoryId).log(null, tip, path === '' ? {} : { path });
  return commits.filter(
    ({ author, committer }) =>
      (!filter.since || committer.at >= Date.parse(filter.since)) &&
      (!filter.until || committer.at <= Date.parse(filter.until)) &&
      isOneOf(author, filter.authors) &&
      isOneOf(committer, filter.committers),
  );
}

function isOneOf({ email }: GitPerson, addresses: readonly string[] | undefined): boolean {
  return addresses === undefined || addresses.some((address) => address.toLowerCase() === email.toLowerCase());
}

/** The addresses of somebody who is named by login or by address. */
export function addressesOf(db: Tables, named: string | undefined): readonly string[] | undefined {
  if (named === undefined) return undefined;
  return named.includes('@') ? [named] : [findUser(db, named)?.email ?? named];
}
