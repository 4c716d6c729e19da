import { type PayloadBuilders, webhook } from '../../webhooks/payload.js';

export const repositoryPayloads: PayloadBuilders = {
  'repository renamed': (_context, event) =>
    webhook('repository', 'webhook-repository-renamed', {
      action: 'renamed',
      changes: { repository: { name: { from: event.data.from } } },
    }),
  'repository edited': (_context, event) => {
    const { description, defaultBranch } = event.data;
    return webhook('repository', 'webhook-repository-edited', {
      action: 'edited',
      changes: {
        ...(description === undefined ? {} : { description: { from: description } }),
        ...(defaultBranch === undefined ? {} : { default_branch: { from: defaultBranch } }),
      },
    });
  },
  'repository archived': () => webhook('repository', 'webhook-repository-archived', { action: 'archived' }),
  'repository unarchived': () => webhook('repository', 'webhook-repository-unarchived', { action: 'unarchived' }),
};
