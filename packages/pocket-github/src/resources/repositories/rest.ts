import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import type { Repository } from '../../world/model.js';
import { mergeSettings, repositoryJson } from './repository-json.js';
import { updateRepository } from './rules.js';
import { maySeeMergeSettings, viewerPermissions } from './viewer-permissions.js';

const READ: Need = { app: 'metadata:read', role: 'read' };
const ADMINISTER: Need = { app: 'administration:write', role: 'admin', evenArchived: true };

function shownTo(context: Context, repository: Repository) {
  const whole = { ...repositoryJson(context, repository), ...viewerPermissions(context, repository) };
  if (maySeeMergeSettings(context, repository)) return whole;
  const hidden = new Set(Object.keys(mergeSettings(repository)));
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !hidden.has(key))) as typeof whole;
}

const settings = z.object({
  name: z.string().optional(),
  description: z.string().nullish(),
  archived: z.boolean().optional(),
  default_branch: z.string().optional(),
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
  allow_auto_merge: z.boolean().optional(),
  delete_branch_on_merge: z.boolean().optional(),
});

function changeIn(body: z.infer<typeof settings>) {
  return {
    name: body.name,
    description: body.description,
    archived: body.archived,
    defaultBranch: body.default_branch,
    allowMergeCommit: body.allow_merge_commit,
    allowSquashMerge: body.allow_squash_merge,
    allowRebaseMerge: body.allow_rebase_merge,
    allowAutoMerge: body.allow_auto_merge,
    deleteBranchOnMerge: body.delete_branch_on_merge,
  };
}

export const repositoryRoutes = [
  route('GET /repos/{owner}/{repo}', {
    access: READ,
    handle: ({ context }, repository) => ok(shownTo(context, repository)),
  }),
  route('PATCH /repos/{owner}/{repo}', {
    access: ADMINISTER,
    body: settings,
    handle: async ({ context, body }, repository) => {
      const changed = await updateRepository(context.world, actorOf(context.viewer), repository, changeIn(body));
      return ok(shownTo(context, changed));
    },
  }),
];
