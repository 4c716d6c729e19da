import type { Context } from '../../http/context.js';
import { unprocessable } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Ref, Repository } from '../../world/model.js';
import { moveGuarded } from './guarded-move.js';
import { isRefName } from './ref-name.js';
import { isFastForward } from './rules.js';

/** What REST and GraphQL call the same mishaps. */
export interface RefWords {
  readonly exists: (name: string) => string;
  readonly badName: (name: string) => string;
  /** Git would not have it: a name below or above an existing one, a branch of something that is no commit. */
  readonly cannotCreate: string;
  readonly cannotUpdate: string;
}

export interface NewRef {
  /** Full name: `refs/heads/x`, `refs/tags/x`, or any other below `refs/`. */
  readonly name: string;
  readonly oid: Oid;
}

export async function createRef(
  context: Context,
  repository: Repository,
  given: NewRef,
  words: RefWords,
): Promise<Ref> {
  const { world } = context;
  return world.exclusive(repository.id, async () => {
    const { name, oid } = given;
    if (!isRefName(name)) throw unprocessable(words.badName(name));
    await demandObject(context, repository, oid);
    if (findRef(world.tables, repository.id, name) !== undefined) throw unprocessable(words.exists(name));
    if (isInTheWay(context, repository, name) || !(await isFitting(context, repository, name, oid))) {
      throw unprocessable(words.cannotCreate);
    }
    await moveGuarded(context, repository, { name, before: null, after: oid });
    return refNow(context, repository, name);
  });
}

export interface RefChange {
  readonly oid: Oid;
  /** Without it only a value that contains the present one is taken. */
  readonly force: boolean;
}

export async function updateRef(
  context: Context,
  repository: Repository,
  name: string,
  { oid, force }: RefChange,
  words: RefWords,
): Promise<Ref> {
  const { world } = context;
  return world.exclusive(repository.id, async () => {
    const before = refNow(context, repository, name).oid;
    await demandObject(context, repository, oid);
    if (!(await isFitting(context, repository, name, oid))) throw unprocessable(words.cannotUpdate);
    if (!force && !(await isFastForward(world.git(repository.id), before, oid))) {
      throw unprocessable('Update is not a fast forward');
    }
    if (before !== oid) await moveGuarded(context, repository, { name, before, after: oid });
    return refNow(context, repository, name);
  });
}

export async function deleteRef(
  context: Context,
  repository: Repository,
  name: string,
  words: RefWords,
): Promise<void> {
  await context.world.exclusive(repository.id, async () => {
    const before = refNow(context, repository, name).oid;
    if (isHidden(name)) throw unprocessable(words.cannotUpdate);
    await moveGuarded(context, repository, { name, before, after: null });
  });
}

function refNow({ world }: Context, repository: Repository, name: string): Ref {
  const ref = findRef(world.tables, repository.id, name);
  if (ref === undefined) throw unprocessable('Reference does not exist');
  return ref;
}

async function demandObject({ world }: Context, repository: Repository, oid: Oid): Promise<void> {
  if ((await world.git(repository.id).object(oid)) === null) throw unprocessable('Object does not exist');
}

/** Refs of pull requests are GitHub's own. */
const isHidden = (name: string): boolean => name.startsWith('refs/pull/');

/** A branch is a commit; other refs may be anything. */
async function isFitting({ world }: Context, repository: Repository, name: string, oid: Oid): Promise<boolean> {
  if (isHidden(name)) return false;
  return !name.startsWith('refs/heads/') || (await world.git(repository.id).commit(oid)) !== null;
}

/** In git a ref is a file: `refs/heads/a` and `refs/heads/a/b` cannot both exist. */
function isInTheWay({ world }: Context, repository: Repository, name: string): boolean {
  return world.tables.refs
    .by('repositoryId', repository.id)
    .some((ref) => ref.name.startsWith(`${name}/`) || name.startsWith(`${ref.name}/`));
}
