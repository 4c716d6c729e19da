import { z } from 'zod';
import { json, noContent, ok } from '../../../http/reply.js';
import { route } from '../../../http/route.js';
import { actorOf } from '../../../identity/viewer.js';
import { notFound } from '../../../world/errors.js';
import { demandWorkflows, MERGE, READ, WRITE } from '../access.js';
import { baseMoves, mergePull } from './merge.js';
import { pullUrls } from '../pull-urls.js';
import { pullIn } from '../rest.js';
import { updateBranch } from './update-branch.js';

export const pullMergingRoutes = [
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
    access: READ,
    handle: (request, repository) => {
      if (pullIn(request, repository).mergedAt === null) throw notFound();
      return noContent();
    },
  }),
  route('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
    access: MERGE,
    body: z.object({
      commit_title: z.string().nullish(),
      commit_message: z.string().nullish(),
      sha: z.string().nullish(),
      merge_method: z.enum(['merge', 'squash', 'rebase']).optional(),
    }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const pull = pullIn(request, repository);
      await demandWorkflows(context, pull);
      const { mergeCommitOid } = await mergePull(context.world, actorOf(context.viewer), pull, {
        method: body.merge_method ?? 'merge',
        expectedHead: body.sha,
        title: body.commit_title,
        message: body.commit_message,
        baseMoves: baseMoves(context),
      });
      return ok({ sha: mergeCommitOid ?? '', merged: true, message: 'Pull Request successfully merged' });
    },
  }),
  route('PUT /repos/{owner}/{repo}/pulls/{pull_number}/update-branch', {
    access: WRITE,
    body: z.object({ expected_head_sha: z.string().nullish() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const pull = pullIn(request, repository);
      await updateBranch(context.world, actorOf(context.viewer), pull, {
        method: 'merge',
        expectedHead: body.expected_head_sha,
      });
      return json(202, { message: 'Updating pull request branch.', url: pullUrls(context, pull).html });
    },
  }),
];
