import { z } from 'zod';
import { type GitHub, GitHubError } from '../../ports/github.js';
import type { Api } from './api.js';
import { graphqlFailure, parsed } from './errors.js';
import { ADD_COMMENT, CONVERSATION, EDIT_COMMENT } from './queries.js';
import type { Recollection } from './recollection.js';
import type { Identity } from './token-source.js';

interface Parts {
  readonly api: Api;
  readonly identity: Identity;
  readonly recollection: Recollection;
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

/** First line of an answer: how we know that it has been given. */
const replyMarker = (about: string): string => `<!-- sluice:reply ${about.replaceAll(/[^\w:.-]/g, '_')} -->`;

/** Looks before it writes: an answer whose confirmation was lost is not given twice. */
export const reply =
  ({ api, identity, recollection }: Parts): GitHub['reply'] =>
  async (ref, about, body) => {
    const { owner, repo } = ref;
    const { subject } = await ask(api, CONVERSATION, ref);
    if (subject === null) return;
    const marker = replyMarker(about);
    const text = `${marker}\n${body}`;
    const said = (subject.comments.nodes ?? []).find(
      (comment) => comment?.author?.databaseId === identity.accountId && comment.body.startsWith(marker),
    );
    if (said?.body.replaceAll('\r\n', '\n').trimEnd() === text.trimEnd()) return;
    const document = said == null ? ADD_COMMENT : EDIT_COMMENT;
    const input = said == null ? { subjectId: subject.id, body: text } : { id: said.id, body: text };
    if (said == null) recollection.mustBeSettled(ref);
    const { errors } = await recollection.settling(ref, () => api.graphql({ owner, repo }, document, { input }));
    if (errors.length > 0) throw graphqlFailure('Reply', errors);
  };

async function ask(
  api: Api,
  document: string,
  { owner, repo, number }: { readonly owner: string; readonly repo: string; readonly number: number },
) {
  const { data, errors } = await api.graphql({ owner, repo }, document, { owner, name: repo, number });
  const { repository } = parsed('Conversation', conversation, data);
  if (repository !== null && (repository.subject !== null || errors.length === 0))
    return { subject: repository.subject };
  const failure = graphqlFailure('Conversation', errors);
  if (failure instanceof GitHubError && failure.problem === 'not-found') return { subject: null };
  throw failure;
}
