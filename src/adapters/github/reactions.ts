import { formatRepo, type RepoRef } from '../../domain/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import { type Addressee, type GitHub, WRITE_WITHIN_MS } from '../../ports/github.js';
import type { Api } from './api.js';
import { type GraphqlError, graphqlFailure, problemOf } from './errors.js';
import { reactDocument, stepAlias } from './queries.js';

interface Wanted {
  readonly input: { readonly subjectId: string; readonly content: string };
  readonly askedAt: Instant;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface Lane {
  readonly repo: RepoRef;
  readonly to: Addressee;
  readonly wanted: Wanted[];
  isBusy: boolean;
}

interface Parts {
  readonly api: Api;
  readonly clock: Clock;
}

/** Longer than the documents before it take: what was decided still holds, but whoever was suspended says nothing. */
const LONGEST_LANE_MS = 30_000;
/** So many go in one document. */
const MOST_TOGETHER = 10;

/** Reactions to comments of a repository: what is wanted while a document is under way goes together in the next one. */
export function createReactions(parts: Parts): GitHub['react'] {
  const { clock } = parts;
  const lanes = new Map<string, Lane>();
  const empty = async (key: string, lane: Lane): Promise<void> => {
    if (lane.isBusy) return;
    lane.isBusy = true;
    while (lane.wanted.length > 0) await sendTogether(parts, lane, lane.wanted.splice(0, MOST_TOGETHER));
    lanes.delete(key);
  };
  return ({ owner, repo }, subjectId, content, to = 'permitted') =>
    new Promise((done, failed) => {
      const key = `${to} ${formatRepo({ owner, repo })}`;
      const lane = lanes.get(key) ?? { repo: { owner, repo }, to, wanted: [], isBusy: false };
      lanes.set(key, lane);
      lane.wanted.push({ input: { subjectId, content }, askedAt: clock.steady(), done, failed });
      void empty(key, lane);
    });
}

/** Tells each who wanted one what became of it. Never fails itself. */
async function sendTogether({ api, clock }: Parts, { repo, to }: Lane, batch: readonly Wanted[]): Promise<void> {
  const inputs = Object.fromEntries(batch.map(({ input }, index) => [stepAlias(index), input]));
  const oldest = Math.min(...batch.map(({ askedAt }) => askedAt));
  const notAfter = Math.min(clock.steady() + WRITE_WITHIN_MS, oldest + LONGEST_LANE_MS);
  const share = to === 'stranger' ? 'strangers' : 'people';
  const about = `${formatRepo(repo)}#answers`;
  const writing = { creations: batch.length, notAfter, share, about } as const;
  try {
    const { errors } = await api.graphql(repo, reactDocument(batch.length), inputs, writing);
    for (const [index, { done, failed }] of batch.entries()) {
      const trouble = errors.filter((error) => concerns(error, stepAlias(index)) && !isGone(error));
      if (trouble.length === 0) done();
      else failed(graphqlFailure('React', trouble));
    }
  } catch (error) {
    for (const { failed } of batch) failed(error);
  }
}

/** An error without a place is everybody's. */
const concerns = ({ path }: GraphqlError, alias: string): boolean => path == null || path[0] === alias;

/** Somebody deleted the comment: nobody is left to be told. */
const isGone = (error: GraphqlError): boolean => problemOf(error) === 'not-found';
