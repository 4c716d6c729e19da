import { type PayloadBuilders, type PayloadContext, type Webhook, webhook } from '../../webhooks/payload.js';
import type { ProjectItem } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { fieldValueJson, projectItemJson } from './project-json.js';

/** Only for organisations: GitHub sends no webhooks about the projects of a user. */
function toOrganization({ db }: PayloadContext, item: ProjectItem, built: Webhook): Webhook | null {
  const owner = db.users.must(db.projects.must(item.projectId).ownerId);
  return owner.type === 'Organization' ? { ...built, accountId: owner.id } : null;
}

export const projectPayloads: PayloadBuilders = {
  'project item created': (context, event) => {
    const item = context.db.projectItems.must(event.data.itemId);
    const payload = { action: 'created' as const, projects_v2_item: projectItemJson(context, item) };
    return toOrganization(context, item, webhook('projects_v2_item', 'webhook-projects-v2-item-created', payload));
  },
  'project item edited': (context, event) => {
    const item = context.db.projectItems.must(event.data.itemId);
    const field = context.db.projectFields.must(event.data.fieldId);
    const payload = {
      action: 'edited' as const,
      projects_v2_item: projectItemJson(context, item),
      changes: {
        field_value: {
          field_node_id: formatNodeId('projectFields', field.id),
          field_type: field.type.toLowerCase(),
          field_name: field.name,
          project_number: context.db.projects.must(item.projectId).number,
          from: fieldValueJson(field, event.data.from),
          to: fieldValueJson(field, item.values[field.id] ?? null),
        },
      },
    };
    return toOrganization(context, item, webhook('projects_v2_item', 'webhook-projects-v2-item-edited', payload));
  },
  'project item deleted': (context, event) => {
    const { item } = event.data;
    const payload = { action: 'deleted' as const, projects_v2_item: projectItemJson(context, item) };
    return toOrganization(context, item, webhook('projects_v2_item', 'webhook-projects-v2-item-deleted', payload));
  },
};
