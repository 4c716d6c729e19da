import { ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { RateStatus } from '../../http/rate-limit.js';
import type { Context } from '../../http/context.js';

/** Search has a limit of its own, per minute. Pocket has no search, so all of it is always left. */
const SEARCHES_PER_MINUTE = 30;

const shown = ({ limit, used, remaining, reset }: RateStatus) => ({ limit, used, remaining, reset });

function overview({ rate, world }: Context) {
  const core = shown(rate.status('core'));
  const reset = Math.ceil(world.now() / 1000) + 60;
  return {
    resources: {
      core,
      graphql: shown(rate.status('graphql')),
      search: { limit: SEARCHES_PER_MINUTE, used: 0, remaining: SEARCHES_PER_MINUTE, reset },
    },
    rate: core,
  };
}

export const rateLimitRoutes = [
  route('GET /rate_limit', { access: 'anyone', handle: ({ context }) => ok(overview(context)) }),
];
