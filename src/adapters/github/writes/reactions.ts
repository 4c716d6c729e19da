import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import type { Clock, Instant } from '../../../ports/clock.js';
import { type Addressee, type GitHub, WRITE_WITHIN_MS } from '../../../ports/github.js';
import type { GitHubApi } from '../client/github-api.js';
import { type GraphqlError, graphqlFailure, problemOf } from '../client/errors.js';
import { reactDocument, stepAlias } from '../queries/queries.js';

interface Wanted {
  readonly input: { readonly subjectId: string; readonly content: string };
  readonly askedAt: Instant;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface ReactionBatch {
  readonly repo: RepoRef;
  readonly to: Addressee;
  readonly wanted: Wanted[];
  isBusy: boolean;
}

interface Parts {
  readonly api: GitHubApi;
  readonly clock: Clock;
}

/** Longer than earlier documents take. After it the process was suspended, and the reactions are dropped. */
const LONGEST_BATCH_MS = 30_000;
/** At most this many in one document. */
const MOST_TOGETHER = 25;

/** Batches the reactions in a repository: those wanted while a document is sent or waits for room go into the next one. */
export function createReactions(parts: Parts): GitHub['react'] {
  const { clock } = parts;
  const batches = new Map<string, ReactionBatch>();
  const empty = async (key: string, batch: ReactionBatch): Promise<void> => {
    if (batch.isBusy) return;
    batch.isBusy = true;
    while (batch.wanted.length > 0) await sendTogether(parts, batch);
    batches.delete(key);
  };
  return ({ owner, repo }, subjectId, content, to = 'permitted') =>
    new Promise((done, failed) => {
      const key = `${to} ${formatRepo({ owner, repo })}`;
      const batch = batches.get(key) ?? { repo: { owner, repo }, to, wanted: [], isBusy: false };
      batches.set(key, batch);
      batch.wanted.push({ input: { subjectId, content }, askedAt: clock.steady(), done, failed });
      void empty(key, batch);
    });
}

/** Sends the collected reactions when there is room, and reports each outcome to its caller. Never fails itself. */
async function sendTogether({ api, clock }: Parts, batch: ReactionBatch): Promise<void> {
  const oldest = Math.min(...batch.wanted.map(({ askedAt }) => askedAt));
  const notAfter = Math.min(clock.steady() + WRITE_WITHIN_MS, oldest + LONGEST_BATCH_MS);
  const share = batch.to === 'stranger' ? 'strangers' : 'people';
  const taken: Wanted[] = [];
  const document = () => {
    // After a refused credential the same document is sent again.
    if (taken.length === 0) taken.push(...batch.wanted.splice(0, MOST_TOGETHER));
    const variables = Object.fromEntries(taken.map(({ input }, index) => [stepAlias(index), input]));
    return { query: reactDocument(taken.length), variables };
  };
  try {
    const writing = { notAfter, share, about: `${formatRepo(batch.repo)}#answers` } as const;
    const { errors } = await api.mutateLate(batch.repo, document, writing);
    for (const [index, { done, failed }] of taken.entries()) {
      const trouble = errors.filter((error) => concerns(error, stepAlias(index)) && !isGone(error));
      if (trouble.length === 0) done();
      else failed(graphqlFailure('React', trouble));
    }
  } catch (error) {
    // Without room for these, the waiting ones fail, too.
    const failing = taken.length > 0 ? taken : batch.wanted.splice(0);
    for (const { failed } of failing) failed(error);
  }
}

/** An error without a path concerns every reaction. */
const concerns = ({ path }: GraphqlError, alias: string): boolean => path == null || path[0] === alias;

/** The comment was deleted, so the reaction is not needed. */
const isGone = (error: GraphqlError): boolean => problemOf(error) === 'not-found';
