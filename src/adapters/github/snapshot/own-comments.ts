import { z } from 'zod';
import type { Change } from '../../../domain/action/change.js';
import type { CommentFacts, IssueSnapshot } from '../../../domain/state/snapshot.js';
import type { IssueRef } from '../../../domain/issue/ids.js';
import type { RawSnapshot } from '../../../ports/github.js';
import type { GitHubApi } from '../client/github-api.js';
import { graphqlFailure, parseAnswer } from '../client/errors.js';
import { commentFacts, type CommentPage, commentPage } from './facts.js';
import { OLDER_COMMENTS } from '../queries/queries.js';
import { commentOf } from './to-snapshot.js';
import type { Identity } from '../auth/token-source.js';

/* Our own comments on issues with more comments than GitHub sends at once. */

/** Five thousand comments. */
const MOST_PAGES = 50;

/** Reads back from the newest comments to the first, and returns ours. */
export async function findOwnComments(
  { api, identity }: { readonly api: GitHubApi; readonly identity: Identity },
  { ref, issueId }: Pick<RawSnapshot, 'ref' | 'issueId'>,
  newest: CommentPage,
): Promise<readonly CommentFacts[]> {
  let page = newest;
  let found: readonly CommentFacts[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { hasPreviousPage, startCursor } = page.pageInfo;
    if (!hasPreviousPage || startCursor === null) break;
    page = await olderPage(api, ref, issueId, startCursor);
    const comments = (page.nodes ?? []).flatMap((node) => (node === null ? [] : [commentOf(node)]));
    found = [...comments.filter(({ author }) => author?.id === identity.accountId), ...found];
  }
  return found;
}

async function olderPage(api: GitHubApi, ref: IssueRef, issue: string, before: string): Promise<CommentPage> {
  const { data, errors } = await api.graphql(ref, OLDER_COMMENTS, { issue, before });
  if (errors.length > 0) throw graphqlFailure('OlderComments', errors);
  return parseAnswer('OlderComments', z.object({ node: z.object({ comments: commentPage }) }), data).node.comments;
}

/** The comments requested by id, without deleted ones. */
export function knownComments(data: unknown): readonly CommentFacts[] {
  const { ours = [] } = parseAnswer('IssueSnapshot', z.object({ ours: z.array(z.unknown()).optional() }), data);
  return ours.flatMap((node) => {
    const { data: comment } = commentFacts.safeParse(node);
    return comment === undefined ? [] : [commentOf(comment)];
  });
}

/** Adds comments that were too old to be in the snapshot, oldest first. */
export function withOlder(snapshot: RawSnapshot, older: readonly CommentFacts[]): RawSnapshot {
  const sent = new Set(snapshot.comments.map(({ id }) => id));
  const missing = older.filter(({ id }) => !sent.has(id));
  return missing.length === 0 ? snapshot : { ...snapshot, comments: [...missing, ...snapshot.comments] };
}

/** Our comments after these changes. The answer to a write does not show the old ones. */
export function afterChanges(
  { comments }: Pick<IssueSnapshot, 'comments'>,
  changes: readonly Change[],
  { accountId }: Identity,
): readonly CommentFacts[] {
  const removed = new Set(changes.flatMap((change) => (change.kind === 'remove-comment' ? [change.id] : [])));
  const bodies = new Map(
    changes.flatMap((change) => (change.kind === 'comment' ? [[change.existing, change.body] as const] : [])),
  );
  return comments
    .filter(({ id, author }) => author?.id === accountId && !removed.has(id))
    .map((comment) => ({ ...comment, body: bodies.get(comment.id) ?? comment.body }));
}
