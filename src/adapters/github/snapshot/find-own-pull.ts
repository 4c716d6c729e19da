import { z } from 'zod';
import { workBranch } from '../../../domain/issue/ids.js';
import type { PullId } from '../../../domain/issue/pull-id.js';
import type { GitHubApi } from '../client/github-api.js';
import { graphqlFailure, parseAnswer } from '../client/errors.js';
import { pullOrigin } from './facts.js';
import { type PullQuery, isOurs } from './own-pulls.js';
import { OLDER_PULLS } from '../queries/queries.js';

/** A thousand pull requests from branches of one name are an attempt to hide ours. */
const MOST_PAGES = 10;

const answerSchema = z.object({
  repository: z.object({
    id: z.string(),
    pullRequests: z.object({
      pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
      nodes: z.array(pullOrigin.nullable()).nullable(),
    }),
  }),
});

export type Search =
  | { readonly kind: 'found'; readonly pull: PullId }
  /** All were read, and ours is not among them. */
  | { readonly kind: 'none' }
  /** There are too many to search. */
  | { readonly kind: 'too-many' };

/** Searches all pull requests from branches of that name for our newest one, as long as there may be one. */
export async function findOwnPull(api: GitHubApi, query: PullQuery, newerThan: number): Promise<Search> {
  const { ref } = query;
  const variables = { owner: ref.owner, name: ref.repo, branch: workBranch(ref.number) };
  let before: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { data, errors } = await api.graphql(ref, OLDER_PULLS, { ...variables, before });
    if (errors.length > 0) throw graphqlFailure('OlderPulls', errors);
    const { id, pullRequests } = parseAnswer('OlderPulls', answerSchema, data).repository;
    const page = (pullRequests.nodes ?? []).filter((pull) => pull !== null);
    const ours = page.filter((pull) => pull.number > newerThan && isOurs(pull, id, query));
    const newest = ours.toSorted((a, b) => b.number - a.number)[0];
    if (newest !== undefined) return { kind: 'found', pull: { number: newest.number, id: newest.id } };
    const { hasPreviousPage, startCursor } = pullRequests.pageInfo;
    const isPast = page.length > 0 && page.every(({ number }) => number <= newerThan);
    if (isPast || !hasPreviousPage || startCursor === null) return { kind: 'none' };
    before = startCursor;
  }
  return { kind: 'too-many' };
}
