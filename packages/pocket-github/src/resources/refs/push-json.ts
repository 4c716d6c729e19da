import type { components } from '@octokit/openapi-webhooks-types';
import type { GitCommit, GitPerson, TouchedPaths } from '../../git/git-repository.js';
import type { Scope } from '../../http/context.js';
import type { PayloadContext } from '../../webhooks/payload.js';
import type { WorldEvent } from '../../world/events.js';
import { fullName } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { peeledCommit } from '../commits/peeled-commit.js';
import { zonedTime } from '../commits/zoned-time.js';
import { minimalRepositoryJson } from '../repositories/repository-json.js';
import { splitRefName } from './ref-name.js';

type PushPayload = components['schemas']['webhook-push'];
type Push = WorldEvent<'pushed'>['data'];

const NO_COMMIT = '0'.repeat(40);

/** What a push webhook says of its ref and commits. */
export async function pushJson(context: PayloadContext, repository: Repository, push: Push, pusherId: number) {
  const { ref, before, after, forced } = push;
  const pusher = context.db.users.must(pusherId);
  return {
    ref,
    before: before ?? NO_COMMIT,
    after: after ?? NO_COMMIT,
    created: before === null,
    deleted: after === null,
    forced,
    base_ref: baseRef(context, repository, push),
    compare: compareUrl(context, repository, push),
    commits: await commitsOf(context, repository, push),
    head_commit: await headCommit(context, repository, push),
    pusher: { name: pusher.login, email: pusher.email },
  } satisfies Omit<PushPayload, 'repository'>;
}

/** The repository as only push shows it: some times as numbers, its owner by name. */
export function pushedRepositoryJson(scope: Scope, repository: Repository) {
  const { db } = scope;
  const owner = db.users.must(repository.ownerId);
  const json = minimalRepositoryJson(scope, repository);
  return {
    ...json,
    created_at: Math.floor(repository.createdAt / 1000),
    pushed_at: Math.floor(repository.pushedAt / 1000),
    owner: { ...json.owner, name: owner.login, email: owner.email },
    stargazers: 0,
    master_branch: repository.defaultBranch,
    ...(owner.type === 'Organization' ? { organization: owner.login } : {}),
  } satisfies PushPayload['repository'];
}

/** A new ref that starts where a branch stands was made from that branch. */
function baseRef({ db }: Scope, repository: Repository, { ref, before, after }: Push): string | null {
  if (before !== null || after === null) return null;
  const branches = db.refs
    .by('oid', after)
    .filter((other) => other.repositoryId === repository.id && other.name !== ref);
  const names = branches.map(({ name }) => name).filter((name) => name.startsWith('refs/heads/'));
  const base = `refs/heads/${repository.defaultBranch}`;
  return names.includes(base) ? base : (names[0] ?? null);
}

/** The page that shows what changed: a comparison, or for a new ref what it brought. */
function compareUrl({ db, urls }: Scope, repository: Repository, { ref, before, after, commits }: Push): string {
  const page = `${urls.html}/${fullName(db, repository)}`;
  const [first, ...more] = commits;
  if (before !== null || after === null) return `${page}/compare/${short(before)}...${short(after)}`;
  if (first === undefined) return `${page}/compare/${splitRefName(ref).short}`;
  return more.length === 0 ? `${page}/commit/${first.oid}` : `${page}/compare/${short(first.oid)}^...${short(after)}`;
}

const short = (oid: Oid | null): string => (oid ?? NO_COMMIT).slice(0, 12);

async function commitsOf(context: PayloadContext, repository: Repository, { commits }: Push) {
  const git = context.world.git(repository.id);
  const read = await Promise.all(commits.map(async (pushed) => ({ pushed, commit: await git.commit(pushed.oid) })));
  return read.flatMap(({ pushed, commit }) =>
    commit === null ? [] : commitJson(context, repository, commit, pushed, pushed.distinct),
  );
}

/** The commit the ref is at now; of an annotated tag, the one it points at. */
async function headCommit(context: PayloadContext, repository: Repository, { after, commits }: Push) {
  if (after === null) return null;
  const git = context.world.git(repository.id);
  const commit = await peeledCommit(git, after);
  if (commit === null) return null;
  const known = commits.find(({ oid }) => oid === commit.oid);
  const touched = known ??
    (await git.touchedPaths([commit])).get(commit.oid) ?? { added: [], removed: [], modified: [] };
  return commitJson(context, repository, commit, touched, known?.distinct ?? true);
}

function commitJson(scope: Scope, repository: Repository, commit: GitCommit, touched: TouchedPaths, distinct: boolean) {
  const { oid, tree, message, author, committer } = commit;
  return {
    id: oid,
    tree_id: tree,
    distinct,
    message: message.trimEnd(),
    timestamp: zonedTime(committer),
    url: `${scope.urls.html}/${fullName(scope.db, repository)}/commit/${oid}`,
    author: personJson(scope, author),
    committer: personJson(scope, committer),
    added: [...touched.added],
    removed: [...touched.removed],
    modified: [...touched.modified],
  };
}

function personJson({ db }: Scope, { name, email }: GitPerson) {
  const user = db.users.by('email', email)[0];
  return { name, email, ...(user === undefined ? {} : { username: user.login }) };
}
