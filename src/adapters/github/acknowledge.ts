import { z } from 'zod';
import { issueOfBranch } from '../../domain/ids.js';
import type { Clock } from '../../ports/clock.js';
import { type GitHub, GitHubError, WRITE_WITHIN_MS } from '../../ports/github.js';
import type { Api } from './api.js';
import { graphqlFailure, isTooMuch } from './errors.js';
import { type Lookout, withoutGone } from './lookout.js';
import { ACKNOWLEDGE, READ_COMMENT } from './queries.js';

const pullFacts = z.object({
  subject: z.object({
    pullRequest: z.object({ headRefName: z.string(), isCrossRepository: z.boolean() }).nullable(),
  }),
});
const heardSchema = z.object({ heard: z.record(z.string(), z.unknown()) });

interface Parts {
  readonly api: Api;
  readonly lookout: Lookout;
  readonly clock: Clock;
}

/** 👀, and in the same request what the command will need first. Where there is no room for 👀, only that. */
export const acknowledge =
  ({ api, lookout, clock }: Parts): GitHub['acknowledge'] =>
  async (ref, { commentId, isPull, isSilent = false }, hints) => {
    const notAfter = clock.steady() + WRITE_WITHIN_MS;
    const facts = { isPull, ...(await lookout.variables(ref, hints)) };
    const read = () => api.graphql(ref, READ_COMMENT, { id: commentId, ...facts });
    const say = async () => {
      const input = { subjectId: commentId, content: 'EYES' };
      const said = await api.graphql(ref, ACKNOWLEDGE, { input, ...facts }, { notAfter, share: 'courtesy' });
      return { ...said, data: heardSchema.safeParse(said.data).data?.heard ?? null };
    };
    // Nothing was sent if there is no room; how the command was taken is said in any case.
    const answer = withoutGone(
      await (isSilent ? read() : say().catch((error: unknown) => (isNoRoom(error) ? read() : fail(error)))),
    );
    if (answer.errors.some(isTooMuch)) lookout.tooMuch(ref);
    if (answer.errors.length > 0) {
      const failure = graphqlFailure('Acknowledge', answer.errors);
      // Taken back by its author, or gone with its issue.
      if (failure instanceof GitHubError && failure.problem === 'not-found') return { kind: 'gone' };
      throw failure;
    }
    if (isPull) return { kind: 'pull', issue: workedOn(answer.data) };
    if (answer.data?.['subject'] == null) return { kind: 'gone' };
    const snapshot = lookout.written(answer, ['subject', 'issue'], { ref, hints }, null);
    // GitHub sends no more at once: ours may be among the older ones, and only a whole look finds them.
    return { kind: 'issue', snapshot: snapshot.comments.length < facts.comments ? snapshot : null };
  };

const isNoRoom = (error: unknown): boolean => error instanceof GitHubError && error.problem === 'rate-limited';

const fail = (error: unknown): never => {
  throw error;
};

/** Anybody can open a pull request from a fork's branch of that name. */
function workedOn(data: unknown): number | null {
  const pull = pullFacts.safeParse(data).data?.subject.pullRequest ?? null;
  return pull === null || pull.isCrossRepository ? null : issueOfBranch(pull.headRefName);
}
