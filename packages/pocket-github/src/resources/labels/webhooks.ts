import { type PayloadBuilders, webhook } from '../../webhooks/payload.js';
import type { Label } from '../../world/model.js';
import { labelJson } from './label-json.js';

/* `labeled` and `unlabeled` belong to the issue or pull request they happen to; these are the labels' own. */
export const labelPayloads: PayloadBuilders = {
  'label created': (context, event) =>
    webhook('label', 'webhook-label-created', {
      action: 'created',
      label: labelJson(context, context.db.labels.must(event.data.labelId)),
    }),
  'label edited': (context, event) => {
    const { name, color, description } = event.data;
    return webhook('label', 'webhook-label-edited', {
      action: 'edited',
      label: labelJson(context, context.db.labels.must(event.data.labelId)),
      changes: {
        ...(name === undefined ? {} : { name: { from: name } }),
        ...(color === undefined ? {} : { color: { from: color } }),
        ...(description === undefined ? {} : { description: { from: description } }),
      },
    });
  },
  'label deleted': (context, event) => {
    const { labelId, name, color, description } = event.data;
    const gone: Label = {
      id: labelId,
      repositoryId: event.repositoryId ?? 0,
      name,
      color,
      description,
      default: false,
      createdAt: event.at,
      updatedAt: event.at,
    };
    return webhook('label', 'webhook-label-deleted', { action: 'deleted', label: labelJson(context, gone) });
  },
};
