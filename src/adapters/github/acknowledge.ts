import { z } from 'zod';
import { issueOfBranch } from '../../domain/ids.js';
import type { Clock } from '../../ports/clock.js';
import { type GitHub, GitHubError, WRITE_WITHIN_MS } from '../../ports/github.js';
import type { Api } from './api.js';
import { graphqlFailure, isTooMuch } from './errors.js';
import { type Lookout, withoutGone } from './lookout.js';
import { ACKNOWLEDGE } from './queries.js';

const pullFacts = z.object({
  heard: z.object({
    subject: z.object({
      pullRequest: z.object({ headRefName: z.string(), isCrossRepository: z.boolean() }).nullable(),
    }),
  }),
});

interface Parts {
  readonly api: Api;
  readonly lookout: Lookout;
  readonly clock: Clock;
}

/** 👀, and in the same request what the command will need first. */
export const acknowledge =
  ({ api, lookout, clock }: Parts): GitHub['acknowledge'] =>
  async (ref, { commentId, isPull }, hints) => {
    const notAfter = clock.steady() + WRITE_WITHIN_MS;
    const input = { subjectId: commentId, content: 'EYES' };
    const variables = { input, isPull, ...(await lookout.variables(ref, hints)) };
    const answer = withoutGone(await api.graphql(ref, ACKNOWLEDGE, variables, { notAfter }));
    if (answer.errors.some(isTooMuch)) lookout.tooMuch(ref);
    if (answer.errors.length > 0) {
      const failure = graphqlFailure('Acknowledge', answer.errors);
      // Taken back by its author, or gone with its issue.
      if (failure instanceof GitHubError && failure.problem === 'not-found') return { kind: 'gone' };
      throw failure;
    }
    if (isPull) return { kind: 'pull', issue: workedOn(answer.data) };
    const snapshot = lookout.written(answer, ['heard', 'subject', 'issue'], { ref, hints }, null);
    // GitHub sends no more at once: ours may be among the older ones, and only a whole look finds them.
    return { kind: 'issue', snapshot: snapshot.comments.length < variables.comments ? snapshot : null };
  };

/** Anybody can open a pull request from a fork's branch of that name. */
function workedOn(data: unknown): number | null {
  const pull = pullFacts.safeParse(data).data?.heard.subject.pullRequest ?? null;
  return pull === null || pull.isCrossRepository ? null : issueOfBranch(pull.headRefName);
}
