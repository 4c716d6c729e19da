import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import { MODERATE, READ } from '../issues/access.js';
import { milestoneJson } from './milestone-json.js';
import { createMilestone, findMilestone } from './rules.js';

export const milestoneRoutes = [
  route('GET /repos/{owner}/{repo}/milestones', {
    access: READ,
    query: z.object({ ...pageQuery, state: z.enum(['open', 'closed', 'all']).optional() }),
    handle: ({ context, query }, repository) => {
      const wanted = query.state ?? 'open';
      const milestones = context.db.milestones
        .by('repositoryId', repository.id)
        .filter(({ state }) => wanted === 'all' || state === wanted);
      const path = `/repos/${fullName(context.db, repository)}/milestones`;
      return listReply(milestones, query, context, path, (milestone) => milestoneJson(context, milestone));
    },
  }),
  route('POST /repos/{owner}/{repo}/milestones', {
    access: MODERATE,
    body: z.object({ title: z.string() }),
    handle: ({ context, body }, repository) =>
      created(milestoneJson(context, createMilestone(context.world, actorOf(context.viewer), repository, body.title))),
  }),
  route('GET /repos/{owner}/{repo}/milestones/{milestone_number}', {
    access: READ,
    handle: ({ context, params }, repository) => {
      const milestone = findMilestone(context.db, repository.id, Number(params['milestone_number']));
      if (milestone === undefined) throw notFound();
      return ok(milestoneJson(context, milestone));
    },
  }),
];
