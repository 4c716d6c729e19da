import type { Octokit } from '@octokit/rest';
import githubAppJwt from 'universal-github-app-jwt';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import { createOctokit } from '../client/octokit.js';
import type { Authorization, RequestParameter } from '../client/rules/rule.js';

export interface AppClientOptions {
  readonly apiUrl: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** GitHub's REST API, for what an App asks about itself: its installations, its tokens, its webhooks. */
export interface AppClient {
  readonly rest: Octokit['rest'];
  /** Sends a request as the App itself. */
  readonly asApp: RequestParameter;
}

/** GitHub recommends to backdate tokens this much, because clocks differ; `universal-github-app-jwt` does half of it. */
const LEEWAY_SECONDS = 60;
const LIBRARY_LEEWAY_SECONDS = 30;

export function createAppClient(options: AppClientOptions): AppClient {
  const { appId, privateKey, clock } = options;
  /** How far GitHub's clock is ahead of ours. */
  const skew: { ms: number } = { ms: 0 };
  const authorize = async (): Promise<Authorization> => {
    const assumedSkewMs = skew.ms;
    const seconds = Math.floor((clock.now() + assumedSkewMs) / 1000);
    const now = seconds - (LEEWAY_SECONDS - LIBRARY_LEEWAY_SECONDS);
    const { token } = await githubAppJwt({ id: appId, privateKey, now });
    return {
      header: `bearer ${token}`,
      rateLimitKey: null,
      shouldRetry: ({ status, at }) => {
        skew.ms = at - clock.now();
        // Retry only when the clock difference has changed.
        return status === 401 && Math.abs(skew.ms - assumedSkewMs) > 1000;
      },
    };
  };
  return { rest: createOctokit(options).rest, asApp: { context: { authorize } } };
}
