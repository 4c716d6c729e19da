import { z } from 'zod';
import { created, ok } from '../../../http/reply.js';
import { route } from '../../../http/route.js';
import { actorOf } from '../../../identity/viewer.js';
import { UnmodelledError } from '../../../world/errors.js';
import { simpleUserById } from '../../users/user-json.js';
import { APPROACH, demandOrAuthor, READ, TRIAGE } from '../access.js';
import { simplePullJson } from '../pull-json.js';
import { pullIn } from '../rest.js';
import { removeReviewers, requestReviewers, reviewersByLogin } from './reviewers.js';

const reviewersBody = z.object({
  reviewers: z.array(z.string()).optional(),
  team_reviewers: z.array(z.string()).optional(),
});

function loginsIn({ reviewers = [], team_reviewers: teams = [] }: z.infer<typeof reviewersBody>): readonly string[] {
  if (teams.length > 0) throw new UnmodelledError('teams as reviewers');
  return reviewers;
}

export const pullReviewerRoutes = [
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
    access: READ,
    handle: (request, repository) => {
      const ids = pullIn(request, repository).requestedReviewerIds;
      return ok({ users: ids.map((id) => simpleUserById(request.context, id)), teams: [] });
    },
  }),
  route('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
    access: APPROACH,
    body: reviewersBody,
    handle: async (request, repository) => {
      const { context, body } = request;
      const pull = pullIn(request, repository);
      demandOrAuthor(context, pull, TRIAGE);
      const users = reviewersByLogin(context.world, pull, loginsIn(body));
      return created(
        simplePullJson(context, await requestReviewers(context.world, actorOf(context.viewer), pull, users)),
      );
    },
  }),
  route('DELETE /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
    access: APPROACH,
    body: reviewersBody,
    handle: async (request, repository) => {
      const { context, body } = request;
      const pull = pullIn(request, repository);
      demandOrAuthor(context, pull, TRIAGE);
      const users = reviewersByLogin(context.world, pull, loginsIn(body));
      return ok(simplePullJson(context, await removeReviewers(context.world, actorOf(context.viewer), pull, users)));
    },
  }),
];
