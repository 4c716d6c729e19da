import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import type { Reaction } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { simpleUserById } from '../users/user-json.js';

export function reactionJson(scope: Scope, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: formatNodeId('reactions', reaction.id),
    user: simpleUserById(scope, reaction.userId),
    content: reaction.content,
    created_at: isoTime(reaction.createdAt),
  } satisfies components['schemas']['reaction'];
}
