import { z } from 'zod';
import { formatIssue, type IssueRef, issueOfBranch } from '../../../domain/issue/ids.js';
import type { Clock } from '../../../ports/clock.js';
import { type GitHub, GitHubError, type ShownComment, WRITE_WITHIN_MS } from '../../../ports/github.js';
import { toActor } from '../snapshot/actor.js';
import type { GitHubApi } from '../client/github-api.js';
import { graphqlFailure, isTooMuch } from '../client/errors.js';
import { commentFacts } from '../snapshot/facts.js';
import { type SnapshotReader, withoutGone } from '../snapshot/snapshot-reader.js';
import { ACKNOWLEDGE, READ_COMMENT } from '../queries/queries.js';

const numbered = z.object({ number: z.number() });

/** The comment and its subject. */
const subjectFacts = z.object({
  subject: commentFacts.omit({ id: true, fullDatabaseId: true }).extend({
    repository: z.object({ nameWithOwner: z.string() }),
    issue: numbered.optional(),
    pullRequest: numbered.extend({ headRefName: z.string(), isCrossRepository: z.boolean() }).nullish(),
  }),
});
type CommandCommentFacts = z.infer<typeof subjectFacts>['subject'];
const acknowledgedSchema = z.object({ acknowledged: z.record(z.string(), z.unknown()) });

interface Parts {
  readonly api: GitHubApi;
  readonly snapshotReader: SnapshotReader;
  readonly clock: Clock;
}

/** Adds 👀 and reads, in the same request, the comment and what the command needs first. Without room for 👀 it only reads. */
export const acknowledge =
  ({ api, snapshotReader, clock }: Parts): GitHub['acknowledge'] =>
  async (ref, { commentId, isPull, isSilent = false }, hints) => {
    const notAfter = clock.steady() + WRITE_WITHIN_MS;
    const facts = { isPull, ...(await snapshotReader.variables(ref, hints)) };
    const read = () => api.graphql(ref, READ_COMMENT, { id: commentId, ...facts });
    const say = async () => {
      const input = { subjectId: commentId, content: 'EYES' };
      const said = await api.graphql(ref, ACKNOWLEDGE, { input, ...facts }, { notAfter, share: 'courtesy' });
      return { ...said, data: acknowledgedSchema.safeParse(said.data).data?.acknowledged ?? null };
    };
    // Without room nothing was sent, so only read. The result of the command is shown in any case.
    const answer = withoutGone(
      await (isSilent ? read() : say().catch((error: unknown) => (isNoRoom(error) ? read() : fail(error)))),
    );
    if (answer.errors.some(isTooMuch)) snapshotReader.tooMuch(ref);
    if (answer.errors.length > 0) {
      const failure = graphqlFailure('Acknowledge', answer.errors);
      // Deleted, alone or with its issue.
      if (failure instanceof GitHubError && failure.problem === 'not-found') return { kind: 'gone' };
      throw failure;
    }
    if (answer.data?.['subject'] == null) return { kind: 'gone' };
    const { data: shown } = subjectFacts.safeParse(answer.data);
    if (shown === undefined) throw new GitHubError('transient', 'GitHub left out the comment that was heard');
    const { subject } = shown;
    // The answer is about another issue and must not be used for this one.
    if (!standsOn(subject, ref)) return { kind: 'elsewhere' };
    const comment = shownComment(subject);
    if (isPull) return { kind: 'pull', comment, issue: issueOfOwnPull(subject) };
    const snapshot = snapshotReader.fromWrite(answer, ['subject', 'issue'], { ref, hints }, null);
    // Our own comments may be beyond the first page; only a full read finds them.
    return { kind: 'issue', comment, snapshot: snapshot.comments.length < facts.comments ? snapshot : null };
  };

const isNoRoom = (error: unknown): boolean => error instanceof GitHubError && error.problem === 'rate-limited';

const fail = (error: unknown): never => {
  throw error;
};

function standsOn({ repository, issue, pullRequest }: CommandCommentFacts, ref: IssueRef): boolean {
  const number = issue?.number ?? pullRequest?.number ?? 0;
  return `${repository.nameWithOwner}#${number}`.toLowerCase() === formatIssue(ref).toLowerCase();
}

const shownComment = ({ author, body, createdAt, lastEditedAt }: CommandCommentFacts): ShownComment => ({
  author: toActor(author),
  body,
  at: createdAt,
  edited: lastEditedAt !== null,
});

/** Only our own pull requests count: anybody can open one from a fork's branch of that name. */
function issueOfOwnPull({ pullRequest }: CommandCommentFacts): number | null {
  return pullRequest == null || pullRequest.isCrossRepository ? null : issueOfBranch(pullRequest.headRefName);
}
