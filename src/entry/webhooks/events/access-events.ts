import { z } from 'zod';
import type { GitHubEvent } from '../../../domain/intent/github-event.js';
import type { RepoRef } from '../../../domain/issue/ids.js';
import { type EventReader, isRepository, reader, repoOf, repositoryShape } from './event-reader.js';

const named = z.array(z.object({ full_name: z.string() }));
const place = z.object({ id: z.number() });

const installed = z.object({
  action: z.enum(['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted']),
  installation: place,
  repositories: named.nullish(),
});

const selected = z.object({
  action: z.enum(['added', 'removed']),
  installation: place,
  repositories_added: named,
  repositories_removed: named,
});

const login = z.object({ login: z.string() });
const was = z.object({ from: z.string() });
const moved = z.object({
  action: z.enum(['renamed', 'transferred', 'deleted', 'archived', 'unarchived']),
  repository: repositoryShape,
  changes: z
    .object({
      repository: z.object({ name: was }).optional(),
      owner: z.object({ from: z.object({ user: login.nullish(), organization: login.nullish() }) }).optional(),
    })
    .optional(),
});

/** Never ours to tell: Apps install nothing, and rename nothing. */
export const installation: EventReader = {
  read: reader(installed, ({ action, installation: { id }, repositories }) => ({
    kind: 'access',
    change: action === 'deleted' || action === 'suspend' ? 'withdrawn' : 'granted',
    installationId: id,
    repositories: reposIn(repositories ?? []),
  })),
};

export const installationRepositories: EventReader = {
  read: reader(selected, ({ action, installation: { id }, ...lists }) => ({
    kind: 'access',
    change: action === 'added' ? 'granted' : 'withdrawn',
    installationId: id,
    repositories: reposIn(action === 'added' ? lists.repositories_added : lists.repositories_removed),
  })),
};

export const repository: EventReader = {
  read: reader(moved, (payload): GitHubEvent => {
    const repo = repoOf(payload.repository);
    return { kind: 'repository', change: payload.action, repo, before: before(repo, payload.changes) };
  }),
};

function before(repo: RepoRef, changes: z.output<typeof moved>['changes']): RepoRef | null {
  const name = changes?.repository?.name.from;
  const owner = changes?.owner?.from.user?.login ?? changes?.owner?.from.organization?.login;
  return name === undefined && owner === undefined ? null : { owner: owner ?? repo.owner, repo: name ?? repo.repo };
}

function reposIn(list: z.output<typeof named>): readonly RepoRef[] {
  return list.flatMap(({ full_name: text }) => {
    const [owner = '', repo = ''] = text.split('/');
    return isRepository(text) ? [{ owner, repo }] : [];
  });
}
