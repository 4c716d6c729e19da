import { z } from 'zod';
import { replyMarker } from '../../../domain/issue/comment-marker.js';
import type { IssueRef } from '../../../domain/issue/ids.js';
import { type GitHub, GitHubError, WRITE_WITHIN_MS } from '../../../ports/github.js';
import type { GitHubApi, WriteOptions } from '../client/github-api.js';
import { graphqlFailure, parseAnswer, problemOf } from '../client/errors.js';
import { ADD_COMMENT, CONVERSATION, EDIT_COMMENT, projectDocument, stepAlias } from '../queries/queries.js';
import type { ReadYourWrites } from '../snapshot/read-your-writes.js';
import type { Identity } from '../auth/token-source.js';

interface Parts {
  readonly api: GitHubApi;
  readonly identity: Identity;
  readonly readYourWrites: ReadYourWrites;
}

const conversation = z.object({
  repository: z
    .object({
      subject: z
        .object({
          id: z.string(),
          comments: z.object({
            nodes: z
              .array(
                z
                  .object({
                    id: z.string(),
                    body: z.string(),
                    author: z.object({ databaseId: z.number().nullish() }).nullable(),
                  })
                  .nullable(),
              )
              .nullable(),
          }),
        })
        .nullable(),
    })
    .nullable(),
});

/** Reads before it writes, so that a reply whose confirmation was lost is not repeated. If two were written at once, the oldest stays. */
export const reply =
  ({ api, identity, readYourWrites }: Parts): GitHub['reply'] =>
  async (ref, about, body, to = 'permitted') => {
    const { owner, repo } = ref;
    const { subject, askedAt } = await ask(api, CONVERSATION, ref);
    if (subject === null) return;
    const share = to === 'stranger' ? 'strangers' : 'people';
    const writing = { notAfter: askedAt + WRITE_WITHIN_MS, share } as const;
    const marker = replyMarker(about);
    const text = `${marker}\n${body}`;
    const [said, ...doubles] = (subject.comments.nodes ?? []).flatMap((comment) =>
      comment?.author?.databaseId === identity.accountId && comment.body.startsWith(marker) ? [comment] : [],
    );
    await remove(api, ref, doubles, writing);
    if (said?.body.replaceAll('\r\n', '\n').trimEnd() === text.trimEnd()) return;
    const document = said === undefined ? ADD_COMMENT : EDIT_COMMENT;
    const input = said === undefined ? { subjectId: subject.id, body: text } : { id: said.id, body: text };
    if (said === undefined) readYourWrites.mustBeSettled(ref);
    const { errors } = await readYourWrites.trackOutcome(ref, () =>
      api.graphql({ owner, repo }, document, { input }, writing),
    );
    if (errors.length > 0) throw graphqlFailure('Reply', errors);
  };

async function remove(
  api: GitHubApi,
  { owner, repo }: IssueRef,
  comments: readonly { readonly id: string }[],
  writing: WriteOptions,
): Promise<void> {
  if (comments.length === 0) return;
  const document = projectDocument(comments.map(() => 'deleteIssueComment'));
  const inputs = Object.fromEntries(comments.map(({ id }, index) => [stepAlias(index), { id }]));
  const { errors } = await api.graphql({ owner, repo }, document, inputs, writing);
  // Another instance removed it first.
  const failure = errors.find((error) => problemOf(error) !== 'not-found');
  if (failure !== undefined) throw graphqlFailure('RemoveReply', [failure]);
}

async function ask(
  api: GitHubApi,
  document: string,
  { owner, repo, number }: { readonly owner: string; readonly repo: string; readonly number: number },
) {
  const { data, errors, askedAt } = await api.graphql({ owner, repo }, document, { owner, name: repo, number });
  const { repository } = parseAnswer('Conversation', conversation, data);
  if (repository !== null && (repository.subject !== null || errors.length === 0))
    return { subject: repository.subject, askedAt };
  const failure = graphqlFailure('Conversation', errors);
  if (failure instanceof GitHubError && failure.problem === 'not-found') return { subject: null, askedAt };
  throw failure;
}
