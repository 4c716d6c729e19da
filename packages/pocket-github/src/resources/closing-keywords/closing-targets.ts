import { findIssue, findRepository } from '../../world/lookup.js';
import type { Issue, Pull, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { parseReferences, type Reference } from './references.js';
import { spokenText } from './spoken-text.js';

/** The issue or issue half a reference written in `repository` points at, if it exists. */
export function targetOf(db: Tables, repository: Repository, reference: Reference): Issue | undefined {
  const [owner = '', name = ''] = reference.repository?.split('/') ?? [];
  const where = reference.repository === null ? repository : findRepository(db, owner, name);
  return where === undefined ? undefined : findIssue(db, where.id, reference.number);
}

/** What the body of a pull request says it closes, by id, each once. It cannot close itself. */
export function closingTargets(db: Tables, { id, repositoryId, body }: Issue): number[] {
  const repository = db.repositories.must(repositoryId);
  const closing = parseReferences(spokenText(body ?? '')).filter(({ closes }) => closes);
  const ids = closing.flatMap((reference) => targetOf(db, repository, reference)?.id ?? []);
  return [...new Set(ids)].filter((target) => target !== id);
}

/** What merging the pull request closes: GitHub reads the keywords only where base is the default branch. */
export function closedByMerge(db: Tables, pull: Pull): Issue[] {
  const { defaultBranch } = db.repositories.must(pull.repositoryId);
  if (pull.baseRef !== defaultBranch) return [];
  return pull.closingIssueIds.flatMap((id) => db.issues.get(id) ?? []);
}
