import type { Issue, Label, Pull, Ref, Repository, User } from './model.js';
import { TABLE_NAMES, type TableName, type Tables } from './tables.js';

/* Finding records by the names clients use. GitHub compares logins, repository and label names without case. */

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function findUser(db: Tables, login: string): User | undefined {
  return db.users.all().find((user) => same(user.login, login));
}

/** By current name, or by a former one, which redirects. */
export function findRepository(db: Tables, owner: string, name: string): Repository | undefined {
  const ownerId = findUser(db, owner)?.id;
  if (ownerId === undefined) return undefined;
  const owned = db.repositories.by('ownerId', ownerId);
  return (
    owned.find((repository) => same(repository.name, name)) ??
    owned.find((repository) => repository.formerNames.some((former) => same(former, name)))
  );
}

/** The issue or the issue half of the pull request with this number. */
export function findIssue(db: Tables, repositoryId: number, number: number): Issue | undefined {
  return db.issues.by('repositoryId', repositoryId).find((issue) => issue.number === number);
}

export function findPull(db: Tables, repositoryId: number, number: number): Pull | undefined {
  return db.pulls.by('repositoryId', repositoryId).find((pull) => pull.number === number);
}

export function findLabel(db: Tables, repositoryId: number, name: string): Label | undefined {
  return db.labels.by('repositoryId', repositoryId).find((label) => same(label.name, name));
}

/** By full name, e.g. `refs/heads/main`. */
export function findRef(db: Tables, repositoryId: number, name: string): Ref | undefined {
  return db.refs.by('repositoryId', repositoryId).find((ref) => ref.name === name);
}

export function fullName(db: Tables, repository: Repository): string {
  return `${db.users.must(repository.ownerId).login}/${repository.name}`;
}

/** The repository a fork, or a fork of a fork, goes back to; of any other repository, itself. */
export function sourceOf(db: Tables, repository: Repository): Repository {
  const parent = repository.parentId === null ? undefined : db.repositories.get(repository.parentId);
  return parent === undefined ? repository : sourceOf(db, parent);
}

/** Where a pull request comes from; `undefined` once that fork was deleted. */
export function headRepositoryOf(db: Tables, pull: Pull): Repository | undefined {
  return db.repositories.get(pull.headRepositoryId);
}

/** Its head lives in another repository than its base. */
export const isFromFork = (pull: Pull): boolean => pull.headRepositoryId !== pull.repositoryId;

/** Which table a record lives in. Ids are unique across tables, so the id decides. */
export function tableOf(db: Tables, id: number): TableName | undefined {
  return TABLE_NAMES.find((name) => db[name].get(id) !== undefined);
}
