import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context, RateAccount } from '../../http/context.js';
import { UnmodelledError } from '../../world/errors.js';
import { isoTime } from '../../world/time.js';

export const rateLimitResolvers: ResolverMap = {
  Query: {
    rateLimit: (_: unknown, { dryRun }: { dryRun?: boolean | null }, { rate }: Context) => {
      if (dryRun === true) throw new UnmodelledError('Query.rateLimit(dryRun: true)');
      return rate;
    },
  },
  RateLimit: {
    cost: (rate: RateAccount) => rate.points,
    nodeCount: (rate: RateAccount) => rate.nodes,
    limit: (rate: RateAccount) => rate.status('graphql').limit,
    remaining: (rate: RateAccount) => rate.status('graphql').remaining,
    used: (rate: RateAccount) => rate.status('graphql').used,
    resetAt: (rate: RateAccount) => isoTime(rate.status('graphql').reset * 1000),
  },
};
