import { z } from 'zod';
import type { Instant } from '../../../ports/clock.js';
import type { Thread, ThreadComment } from '../../../ports/scanner.js';
import { graphqlFailure, parseAnswer, problemOf } from '../client/errors.js';
import { actorFacts, issueEvent, nodes, time } from '../snapshot/facts.js';
import { SWEEP_COMMENTS, SWEEP_THREADS } from '../queries/queries-sweep.js';
import type { ReadGraphql } from './repository-scan.js';
import { toActor } from '../snapshot/actor.js';
import { eventOf } from '../snapshot/to-snapshot.js';

/** As many as fit into one document. */
const BATCH = 50;
/** At most two thousand comments since the last pass. */
const MOST_PAGES = 20;

const commentsSchema = z.object({
  pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
  nodes: z.array(
    z
      .object({
        id: z.string(),
        body: z.string(),
        createdAt: time,
        lastEditedAt: time.nullable(),
        author: actorFacts,
        reactionGroups: z.array(z.object({ content: z.string(), viewerHasReacted: z.boolean() })).nullable(),
      })
      .nullable(),
  ),
});
type Comments = z.infer<typeof commentsSchema>;

const subject = {
  id: z.string(),
  number: z.number(),
  repository: z.object({ name: z.string(), owner: z.object({ login: z.string() }) }),
  comments: commentsSchema,
};
const threadSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Issue'),
    ...subject,
    labels: nodes(z.object({ name: z.string() })).nullable(),
    timelineItems: nodes(issueEvent),
  }),
  z.object({ type: z.literal('PullRequest'), ...subject }),
]);
type ThreadFacts = z.infer<typeof threadSchema>;

/** Reactions that mark a command as answered. */
const ANSWERS = new Set(['ROCKET', 'CONFUSED']);

/** What happened on issues and pull requests since then, by node id. */
export async function readThreads(
  read: ReadGraphql,
  ids: readonly string[],
  since: Instant,
): Promise<readonly Thread[]> {
  const threads: Thread[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const asked = { ids: ids.slice(start, start + BATCH), since: new Date(since).toISOString() };
    const { data, errors } = await read(SWEEP_THREADS, asked);
    // A thread that was deleted or moved meanwhile must not fail the others.
    const trouble = errors.filter((error) => problemOf(error) !== 'not-found');
    if (trouble.length > 0) throw graphqlFailure('SweepThreads', trouble);
    const found = parseAnswer('SweepThreads', z.array(threadSchema.nullable()), data?.['nodes'] ?? []);
    for (const facts of found) if (facts !== null) threads.push(await threadOf(read, facts, since));
  }
  return threads;
}

async function threadOf(read: ReadGraphql, facts: ThreadFacts, since: Instant): Promise<Thread> {
  const { id, number, repository } = facts;
  const comments = await commentsSince(read, facts, since);
  const isPull = facts.type === 'PullRequest';
  return {
    id,
    ref: { owner: repository.owner.login, repo: repository.name, number },
    isPull,
    labels: isPull ? [] : (facts.labels ?? []).map(({ name }) => name),
    comments: comments.filter(({ at }) => at >= since),
    events: isPull ? [] : facts.timelineItems.map(eventOf).filter(({ at }) => at >= since),
  };
}

/** GitHub sends the newest hundred comments; if all are new there may be more. */
async function commentsSince(read: ReadGraphql, facts: ThreadFacts, since: Instant): Promise<ThreadComment[]> {
  let page = facts.comments;
  let all = page.nodes.flatMap(commentOf);
  for (let pages = 1; pages < MOST_PAGES; pages += 1) {
    const { hasPreviousPage, startCursor } = page.pageInfo;
    const [oldest] = all;
    if (!hasPreviousPage || startCursor === null || (oldest !== undefined && oldest.at < since)) break;
    const { data, errors } = await read(SWEEP_COMMENTS, { id: facts.id, before: startCursor });
    if (errors.length > 0) throw graphqlFailure('SweepComments', errors);
    page = parseAnswer('SweepComments', z.object({ node: z.object({ comments: commentsSchema }) }), data).node.comments;
    all = [...page.nodes.flatMap(commentOf), ...all];
  }
  return all;
}

function commentOf(facts: Comments['nodes'][number]): ThreadComment[] {
  if (facts === null) return [];
  const { id, body, author, createdAt, lastEditedAt, reactionGroups } = facts;
  const ours = (reactionGroups ?? []).filter((group) => group.viewerHasReacted).map(({ content }) => content);
  const answered = ours.some((content) => ANSWERS.has(content));
  const said = { acknowledged: ours.includes('EYES'), answered };
  return [{ id, author: toActor(author), body, at: createdAt, edited: lastEditedAt !== null, ...said }];
}
