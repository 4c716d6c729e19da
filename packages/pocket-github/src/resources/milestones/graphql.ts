import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { accountNode, issueHalf, repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { Issue, Milestone, Pull, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { milestoneJson } from './milestone-json.js';
import { findMilestone } from './rules.js';

interface MilestonesArgs extends ConnectionArgs {
  readonly query?: string | null;
  readonly states?: readonly string[] | null;
}

function milestonesOf(repository: Repository, args: MilestonesArgs, { db }: Context) {
  const { query, states } = args;
  const wanted = query?.toLowerCase() ?? '';
  const milestones = db.milestones
    .by('repositoryId', repository.id)
    .filter(
      ({ title, state }) => title.toLowerCase().includes(wanted) && (states?.includes(state.toUpperCase()) ?? true),
    );
  return connection(milestones, args);
}

function milestoneOf(subject: Issue | Pull, _: unknown, context: Context): Milestone | null {
  const { milestoneId } = issueHalf(context, subject);
  return milestoneId === null ? null : context.db.milestones.must(milestoneId);
}

export const milestoneResolvers: ResolverMap = {
  Milestone: {
    id: (milestone: Milestone) => formatNodeId('milestones', milestone.id),
    number: (milestone: Milestone) => milestone.number,
    title: (milestone: Milestone) => milestone.title,
    state: (milestone: Milestone) => milestone.state.toUpperCase(),
    closed: (milestone: Milestone) => milestone.state === 'closed',
    createdAt: (milestone: Milestone) => isoTime(milestone.createdAt),
    creator: (milestone: Milestone, _: unknown, context: Context) => accountNode(context, milestone.creatorId),
    repository: (milestone: Milestone, _: unknown, context: Context) => repositoryOf(context, milestone),
    url: (milestone: Milestone, _: unknown, context: Context) => milestoneJson(context, milestone).html_url,
  },
  Issue: { milestone: milestoneOf },
  PullRequest: { milestone: milestoneOf },
  Repository: {
    milestone: (repository: Repository, { number }: { number: number }, { db }: Context) =>
      findMilestone(db, repository.id, number) ?? null,
    milestones: milestonesOf,
  },
};
