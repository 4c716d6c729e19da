import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import { simpleUserById } from '../users/user-json.js';
import { legacyPermission } from './collaborator-json.js';

function memberOf(context: PayloadContext, userId: number) {
  return simpleUserById(context, userId);
}

export const collaboratorPayloads: PayloadBuilders = {
  'collaborator added': (context, { data }) => {
    const to = legacyPermission(data.role);
    return webhook('member', 'webhook-member-added', {
      action: 'added',
      member: memberOf(context, data.userId),
      changes: { ...(to === 'none' ? {} : { permission: { to } }), role_name: { to: data.role } },
    });
  },
  'collaborator edited': (context, { data }) =>
    webhook('member', 'webhook-member-edited', {
      action: 'edited',
      member: memberOf(context, data.userId),
      changes: {
        old_permission: { from: legacyPermission(data.from) },
        permission: { from: legacyPermission(data.from), to: legacyPermission(data.to) },
      },
    }),
  'collaborator removed': (context, { data }) =>
    webhook('member', 'webhook-member-removed', { action: 'removed', member: memberOf(context, data.userId) }),
};
