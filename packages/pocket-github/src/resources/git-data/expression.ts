import type { Context } from '../../http/context.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';

/** What an expression leads to. */
interface Resolved {
  readonly oid: Oid;
  /** The path it named, if it named one. */
  readonly path?: string;
}

const EXPRESSION = /^((?:(?!@\{)[^~^:])+)([^:]*)(?::(.*))?$/s;
const OID = /^[0-9a-f]{40}$/;

/**
 * The object `git rev-parse` would find: `main`, `main~2`, `HEAD:docs/a.md`, `refs/sluice/issue-7`, a whole or shortened id.
 * Names are looked up in the records, which may lag on purpose; git is asked only about objects.
 */
export async function resolveExpression(
  { db, world }: Pick<Context, 'db' | 'world'>,
  repository: Repository,
  expression: string,
): Promise<Resolved | null> {
  const [, base = '', steps = '', path] = EXPRESSION.exec(expression) ?? [];
  if (base === '') return null;
  const git = world.git(repository.id);
  const named = OID.test(base) ? undefined : namedOid({ db }, repository, base);
  const start = named ?? (/^[0-9a-f]{4,40}$/i.test(base) ? base.toLowerCase() : null);
  if (start === null) return null;
  const whole = OID.test(start) && (steps === '' || (steps === '^{commit}' && (await git.commit(start)) !== null));
  const oid = whole ? start : await git.resolve(`${start}${steps}`);
  if (oid === null || path === undefined) return oid === null ? null : { oid };
  const entry = await git.entryAt(oid, path.replace(/\/$/, ''));
  return entry === null ? null : { oid: entry.oid, path: entry.path };
}

/** In the order git tries them. */
function namedOid({ db }: Pick<Context, 'db'>, repository: Repository, name: string): Oid | undefined {
  const full = name === 'HEAD' ? `refs/heads/${repository.defaultBranch}` : name;
  const candidates = [full, `refs/${full}`, `refs/tags/${full}`, `refs/heads/${full}`];
  return candidates.map((candidate) => findRef(db, repository.id, candidate)?.oid).find((oid) => oid !== undefined);
}
