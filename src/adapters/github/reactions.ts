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
const MOST_TOGETHER = 25;

/** Reactions to comments of a repository: what is wanted while a document is under way, or waits for room, goes together in one. */
export function createReactions(parts: Parts): GitHub['react'] {
  const { clock } = parts;
  const lanes = new Map<string, Lane>();
  const empty = async (key: string, lane: Lane): Promise<void> => {
    if (lane.isBusy) return;
    lane.isBusy = true;
    while (lane.wanted.length > 0) await sendTogether(parts, lane);
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

/** Sends what has gathered when there is room for it, and tells each who wanted one what became of it. Never fails itself. */
async function sendTogether({ api, clock }: Parts, lane: Lane): Promise<void> {
  const oldest = Math.min(...lane.wanted.map(({ askedAt }) => askedAt));
  const notAfter = Math.min(clock.steady() + WRITE_WITHIN_MS, oldest + LONGEST_LANE_MS);
  const share = lane.to === 'stranger' ? 'strangers' : 'people';
  const taken: Wanted[] = [];
  const document = () => {
    // A credential that was not taken is followed by another one, with the same words.
    if (taken.length === 0) taken.push(...lane.wanted.splice(0, MOST_TOGETHER));
    const variables = Object.fromEntries(taken.map(({ input }, index) => [stepAlias(index), input]));
    return { query: reactDocument(taken.length), variables };
  };
  try {
    const writing = { notAfter, share, about: `${formatRepo(lane.repo)}#answers` } as const;
    const { errors } = await api.mutateLate(lane.repo, document, writing);
    for (const [index, { done, failed }] of taken.entries()) {
      const trouble = errors.filter((error) => concerns(error, stepAlias(index)) && !isGone(error));
      if (trouble.length === 0) done();
      else failed(graphqlFailure('React', trouble));
    }
  } catch (error) {
    // Where there was no room, there is none for the others either.
    const failing = taken.length > 0 ? taken : lane.wanted.splice(0);
    for (const { failed } of failing) failed(error);
  }
}

/** An error without a place is everybody's. */
const concerns = ({ path }: GraphqlError, alias: string): boolean => path == null || path[0] === alias;

/** Somebody deleted the comment: nobody is left to be told. */
const isGone = (error: GraphqlError): boolean => problemOf(error) === 'not-found';
