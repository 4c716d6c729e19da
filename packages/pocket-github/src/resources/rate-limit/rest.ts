import { ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { RateStatus } from '../../http/rate-limit.js';
import type { Context } from '../../http/context.js';

const shown = ({ limit, used, remaining, reset }: RateStatus) => ({ limit, used, remaining, reset });

function overview({ rate }: Context) {
  const core = shown(rate.status('core'));
  return {
    resources: {
      core,
      graphql: shown(rate.status('graphql')),
      search: shown(rate.status('search')),
    },
    rate: core,
  };
}

export const rateLimitRoutes = [
  route('GET /rate_limit', { access: 'anyone', handle: ({ context }) => ok(overview(context)) }),
];
