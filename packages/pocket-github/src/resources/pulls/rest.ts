import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, ok, text } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound, UnmodelledError } from '../../world/errors.js';
import { findPull, fullName } from '../../world/lookup.js';
import type { Pull, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { APPROACH, demandHead, demandOrAuthor, READ, TRIAGE, WRITE } from './access.js';
import { openPull } from './opening.js';
import { pullJson, simplePullJson } from './pull-json.js';
import { updatePull } from './rules.js';

export function pullIn({ context, params }: RestRequest<unknown, unknown>, repository: Repository): Pull {
  const pull = findPull(context.db, repository.id, Number(params['pull_number']));
  if (pull === undefined) throw notFound();
  return pull;
}

const listQuery = z.object({
  ...pageQuery,
  state: z.enum(['open', 'closed', 'all']).optional(),
  head: z.string().optional(),
  base: z.string().optional(),
  sort: z.enum(['created', 'updated', 'popularity', 'long-running']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
});
type ListQuery = z.infer<typeof listQuery>;

function listed(db: Tables, repository: Repository, query: ListQuery): Pull[] {
  const { state = 'open', head, base, sort = 'created', direction = sort === 'created' ? 'desc' : 'asc' } = query;
  if (sort === 'popularity' || sort === 'long-running') throw new UnmodelledError(`pull requests sorted by ${sort}`);
  const wanted = db.pulls
    .by('repositoryId', repository.id)
    .map((pull) => ({ pull, issue: db.issues.must(pull.issueId) }))
    .filter(({ issue }) => state === 'all' || issue.state === state)
    .filter(({ pull }) => base === undefined || pull.baseRef === base)
    .filter(({ pull }) => isHead(db, pull, head))
    .sort((a, b) => (sort === 'updated' ? a.issue.updatedAt - b.issue.updatedAt : 0) || a.pull.number - b.pull.number)
    .map(({ pull }) => pull);
  return direction === 'desc' ? wanted.reverse() : wanted;
}

/** `owner:branch`. GitHub pays no attention to a head without the owner before it. */
function isHead(db: Tables, pull: Pull, head: string | undefined): boolean {
  const [, owner, branch] = /^([^:]+):(.*)$/.exec(head ?? '') ?? [];
  if (owner === undefined) return true;
  return owner.toLowerCase() === db.users.must(pull.headOwnerId).login.toLowerCase() && branch === pull.headRef;
}

/** `diff` or `patch` when the client asked for that media type instead of JSON. */
function textWanted({ headers }: RestRequest<unknown, unknown>): 'diff' | 'patch' | null {
  const [, form] = /application\/vnd\.github\.(?:v3\.)?(diff|patch)/.exec(headers['accept'] ?? '') ?? [];
  return form === 'diff' || form === 'patch' ? form : null;
}

async function pullText({ context }: RestRequest<unknown, unknown>, pull: Pull, form: 'diff' | 'patch') {
  const git = context.world.git(pull.repositoryId);
  const start = (await git.mergeBase(pull.baseOid, pull.headOid)) ?? pull.baseOid;
  const content = form === 'diff' ? await git.diff(start, pull.headOid) : await git.patch(pull.baseOid, pull.headOid);
  return text(200, content, `application/vnd.github.${form}; charset=utf-8`);
}

export const pullRoutes = [
  route('GET /repos/{owner}/{repo}/pulls', {
    access: READ,
    query: listQuery,
    handle: ({ context, query }, repository) =>
      listReply(
        listed(context.db, repository, query),
        query,
        context,
        `/repos/${fullName(context.db, repository)}/pulls`,
        (pull) => simplePullJson(context, pull),
      ),
  }),
  route('POST /repos/{owner}/{repo}/pulls', {
    access: APPROACH,
    body: z.object({
      title: z.string().default(''),
      head: z.string(),
      base: z.string(),
      body: z.string().nullish(),
      draft: z.boolean().optional(),
      maintainer_can_modify: z.boolean().optional(),
    }),
    handle: async ({ context, body }, repository) => {
      demandHead(context, repository, body.head);
      const { maintainer_can_modify: maintainerCanModify, ...given } = body;
      const actor = actorOf(context.viewer);
      const pull = await openPull(context.world, actor, repository, { ...given, maintainerCanModify });
      return created(pullJson(context, pull));
    },
  }),
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    access: READ,
    handle: async (request, repository) => {
      const pull = pullIn(request, repository);
      const form = textWanted(request);
      return form === null ? ok(pullJson(request.context, pull)) : pullText(request, pull, form);
    },
  }),
  route('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
    access: APPROACH,
    body: z.object({
      title: z.string().optional(),
      body: z.string().nullish(),
      state: z.enum(['open', 'closed']).optional(),
      base: z.string().optional(),
      maintainer_can_modify: z.boolean().optional(),
    }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const pull = pullIn(request, repository);
      const { title, body: description, base } = body;
      const edits = [title, description, base].some((value) => value !== undefined);
      demandOrAuthor(context, pull, edits ? WRITE : TRIAGE);
      return ok(pullJson(context, await updatePull(context.world, actorOf(context.viewer), pull, body)));
    },
  }),
];
