import { z } from 'zod';
import type { GitCommit } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { mediaTypeIn } from '../../http/media-type.js';
import { listReply, paginate, pageQuery } from '../../http/pagination.js';
import { json, ok, type Reply, text } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { timeParameter } from '../../http/time-parameter.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { Repository } from '../../world/model.js';
import { branchShortJson } from '../branches/branch-json.js';
import { commitNamed } from '../checks/commit-reference.js';
import { resolveExpression } from '../git-data/expression.js';
import { READ } from '../refs/access.js';
import { demandNotEmpty } from '../refs/rest.js';
import { commitJson } from './commit-json.js';
import { fileJson } from './file-json.js';
import { addressesOf, historyOf } from './history.js';

/** GitHub shows this many files of a commit at a time. */
const FILES_PER_PAGE = 100;

const historyQuery = z.object({
  ...pageQuery,
  sha: z.string().optional(),
  path: z.string().optional(),
  author: z.string().optional(),
  committer: z.string().optional(),
  since: timeParameter.optional(),
  until: timeParameter.optional(),
});

async function commitIn(context: Context, repository: Repository, name: string): Promise<GitCommit> {
  const commit = await context.world.git(repository.id).commit(await commitNamed(context, repository, name));
  if (commit === null) throw notFound();
  return commit;
}

/** A commit with what it changes. */
async function wholeCommit(
  context: Context,
  repository: Repository,
  commit: GitCommit,
  query: z.infer<typeof filesQuery>,
) {
  const changes = await context.world.git(repository.id).changes(commit.parents[0] ?? null, commit.oid);
  const sum = (count: (change: (typeof changes)[number]) => number) =>
    changes.reduce((total, change) => total + count(change), 0);
  const additions = sum((change) => change.additions);
  const deletions = sum((change) => change.deletions);
  const path = `/repos/${fullName(context.db, repository)}/commits/${commit.oid}`;
  const page = paginate(changes, { ...query, per_page: query.per_page ?? FILES_PER_PAGE }, context, path);
  const body = {
    ...commitJson(context, repository, commit),
    stats: { total: additions + deletions, additions, deletions },
    files: page.rows.map((change) => fileJson(context, repository, commit.oid, change)),
  };
  return json(200, body, page.headers);
}

const filesQuery = z.object(pageQuery);

/** The commit as text, if the client asked for a media type that is text. */
async function commitText(
  context: Context,
  repository: Repository,
  { oid, parents }: GitCommit,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<Reply<never> | null> {
  const git = context.world.git(repository.id);
  const parent = parents[0] ?? null;
  const form = mediaTypeIn(headers);
  const as = (content: string) => text(200, content, `application/vnd.github.${form}; charset=utf-8`);
  if (form === 'diff') return as(await git.diff(parent, oid));
  if (form === 'patch') return as(await git.patch(parent, oid));
  return form === 'sha' ? as(oid) : null;
}

export const commitRoutes = [
  route('GET /repos/{owner}/{repo}/commits', {
    access: READ,
    query: historyQuery,
    handle: async ({ context, query }, repository) => {
      const { db, world } = context;
      demandNotEmpty(db, repository);
      const tip = await resolveExpression(context, repository, `${query.sha ?? 'HEAD'}^{commit}`);
      if (tip === null) throw notFound();
      const commits = await historyOf(world, repository.id, tip.oid, {
        path: query.path,
        since: query.since,
        until: query.until,
        authors: addressesOf(db, query.author),
        committers: addressesOf(db, query.committer),
      });
      const path = `/repos/${fullName(db, repository)}/commits`;
      return listReply(commits, query, context, path, (commit) => commitJson(context, repository, commit));
    },
  }),
  route('GET /repos/{owner}/{repo}/commits/{ref}', {
    access: READ,
    query: filesQuery,
    handle: async ({ context, params, query, headers }, repository) => {
      demandNotEmpty(context.db, repository);
      const commit = await commitIn(context, repository, params['ref'] ?? '');
      return (
        (await commitText(context, repository, commit, headers)) ?? wholeCommit(context, repository, commit, query)
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head', {
    access: READ,
    handle: async ({ context, params }, repository) => {
      const { oid } = await commitIn(context, repository, params['commit_sha'] ?? '');
      const heads = context.db.refs.by('oid', oid).filter((ref) => ref.repositoryId === repository.id);
      return ok(heads.filter(({ name }) => name.startsWith('refs/heads/')).map((ref) => branchShortJson(context, ref)));
    },
  }),
];
