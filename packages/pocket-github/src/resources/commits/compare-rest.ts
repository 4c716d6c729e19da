import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { mediaTypeIn } from '../../http/media-type.js';
import { paginate, pageQuery } from '../../http/pagination.js';
import { json, text } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notFound, UnmodelledError } from '../../world/errors.js';
import { findUser, fullName } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { resolveExpression } from '../git-data/expression.js';
import { READ } from '../refs/access.js';
import { commitJson } from './commit-json.js';
import { type Comparison, compareOids, statusOf } from './comparison.js';
import { fileJson } from './file-json.js';

/** GitHub shows at most so many commits where no page was asked for, and so many files. */
const MAX_COMMITS = 250;
const MAX_FILES = 300;

/** Both ends of `base...head`, each a branch, tag or id, or `owner:branch`. */
async function endsIn(context: Context, repository: Repository, basehead: string): Promise<readonly [Oid, Oid]> {
  const [base, head, ...more] = basehead.split('...');
  if (!base || !head || more.length > 0) throw notFound();
  return [await endNamed(context, repository, base), await endNamed(context, repository, head)];
}

async function endNamed(context: Context, repository: Repository, name: string): Promise<Oid> {
  const [branch = '', ...owners] = name.split(':').reverse();
  const owner = owners.at(-1);
  const isOurs = owner === undefined || findUser(context.db, owner)?.id === repository.ownerId;
  if (!isOurs || owners.length > 1) throw new UnmodelledError(`comparisons across repositories (${name})`);
  const end = await resolveExpression(context, repository, `${branch}^{commit}`);
  if (end === null) throw notFound();
  return end.oid;
}

async function comparisonJson(context: Context, repository: Repository, comparison: Comparison, mergeBase: Oid) {
  const { base, head, ahead, behindBy } = comparison;
  const git = context.world.git(repository.id);
  const name = fullName(context.db, repository);
  const page = `${context.urls.html}/${name}/compare`;
  const show = async (oid: Oid) => {
    const commit = await git.commit(oid);
    if (commit === null) throw notFound();
    return commitJson(context, repository, commit);
  };
  return {
    url: `${context.urls.api}/repos/${name}/compare/${base}...${head}`,
    html_url: `${page}/${base}...${head}`,
    permalink_url: `${page}/${name.replace('/', ':')}:${base.slice(0, 7)}...${name.replace('/', ':')}:${head.slice(0, 7)}`,
    diff_url: `${page}/${base}...${head}.diff`,
    patch_url: `${page}/${base}...${head}.patch`,
    base_commit: await show(base),
    merge_base_commit: await show(mergeBase),
    status: statusOf(comparison),
    ahead_by: ahead.length,
    behind_by: behindBy,
    total_commits: ahead.length,
  };
}

export const compareRoutes = [
  route('GET /repos/{owner}/{repo}/compare/{basehead}', {
    access: READ,
    query: z.object(pageQuery),
    handle: async ({ context, params, query, headers }, repository) => {
      const git = context.world.git(repository.id);
      const basehead = params['basehead'] ?? '';
      const [base, head] = await endsIn(context, repository, basehead);
      const mergeBase = await git.mergeBase(base, head);
      if (mergeBase === null) throw notFound(`No common ancestor between ${basehead.split('...').join(' and ')}.`);
      const form = mediaTypeIn(headers);
      if (form === 'diff')
        return text(200, await git.diff(mergeBase, head), 'application/vnd.github.diff; charset=utf-8');
      if (form === 'patch')
        return text(200, await git.patch(base, head), 'application/vnd.github.patch; charset=utf-8');
      const comparison = await compareOids(context.world, repository.id, base, head);
      const asksPage = query.page !== undefined || query.per_page !== undefined;
      const path = `/repos/${fullName(context.db, repository)}/compare/${basehead}`;
      const { rows, headers: links } = asksPage
        ? paginate(comparison.ahead, query, context, path)
        : { rows: comparison.ahead.slice(0, MAX_COMMITS), headers: {} };
      // Files come with the first page only.
      const changes = (query.page ?? 1) > 1 ? [] : await git.changes(mergeBase, head);
      const body = {
        ...(await comparisonJson(context, repository, comparison, mergeBase)),
        commits: rows.map((commit) => commitJson(context, repository, commit)),
        files: changes.slice(0, MAX_FILES).map((change) => fileJson(context, repository, head, change)),
      };
      return json(200, body, links);
    },
  }),
];
