import type { Clock, Instant } from '../../../ports/clock.js';
import { appJwt } from './app-jwt.js';
import { type Answer, refusalOf } from '../client/errors.js';
import { createSend } from '../client/send.js';

export interface AppClientOptions {
  readonly apiUrl: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly clock: Clock;
}

/** Asks as the App itself: about its installations, its tokens, its webhooks. A refusal is an error. */
export type AppClient = (route: string, parameters?: Readonly<Record<string, unknown>>) => Promise<Answer>;

export function createAppClient({ apiUrl, appId, privateKey, clock }: AppClientOptions): AppClient {
  const send = createSend({ apiUrl, clock });
  /** How far GitHub's clock is ahead of ours. */
  const skew: { ms: number } = { ms: 0 };
  const ask = (route: string, parameters: Readonly<Record<string, unknown>>, now: Instant): Promise<Answer> =>
    send({ route, parameters, authorization: `bearer ${appJwt(appId, privateKey, now)}` });
  return async (route, parameters = {}) => {
    const assumedSkewMs = skew.ms;
    const first = await ask(route, parameters, clock.now() + assumedSkewMs);
    skew.ms = first.at - clock.now();
    // A clock that is wrong is the one reason to ask a second time.
    const wasWrong = first.status === 401 && Math.abs(skew.ms - assumedSkewMs) > 1000;
    const answer = wasWrong ? await ask(route, parameters, clock.now() + skew.ms) : first;
    if (answer.status >= 400) throw refusalOf(route, answer, clock.now());
    return answer;
  };
}
