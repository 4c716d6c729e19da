import { type PayloadBuilders, webhook } from '../../webhooks/payload.js';
import { pushedRepositoryJson, pushJson } from './push-json.js';
import { splitRefName } from './ref-name.js';

const refTypeOf = (ref: string) => (ref.startsWith('refs/tags/') ? ('tag' as const) : ('branch' as const));

/* Only branches and tags cause these events: other refs move in silence. */
export const refPayloads: PayloadBuilders = {
  pushed: async (context, event) => {
    const repository = context.db.repositories.must(event.repositoryId ?? 0);
    const push = webhook('push', 'webhook-push', await pushJson(context, repository, event.data, event.actorId));
    return { ...push, payload: { ...push.payload, repository: pushedRepositoryJson(context, repository) } };
  },
  'branch created': (context, { data: { ref }, repositoryId }) => {
    const repository = context.db.repositories.must(repositoryId ?? 0);
    return webhook('create', 'webhook-create', {
      ref: splitRefName(ref).short,
      ref_type: refTypeOf(ref),
      master_branch: repository.defaultBranch,
      description: repository.description,
      pusher_type: 'user',
    });
  },
  'branch deleted': (_, { data: { ref } }) =>
    webhook('delete', 'webhook-delete', {
      ref: splitRefName(ref).short,
      ref_type: refTypeOf(ref),
      pusher_type: 'user',
    }),
};
