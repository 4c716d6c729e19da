import { z } from 'zod';
import type { Clock } from '../../../src/ports/clock.js';
import { parseAnswer, refusalOf } from '../../../src/adapters/github/client/errors.js';
import { createSend } from '../../../src/adapters/github/client/send.js';
import type { TokenSource } from '../../../src/adapters/github/auth/token-source.js';

export interface PersonalTokenOptions {
  readonly apiUrl: string;
  readonly token: string;
  readonly clock: Clock;
}

/** A person's own token: good for whatever the person may do. */
export function createPersonalToken({ apiUrl, token, clock }: PersonalTokenOptions): TokenSource {
  const send = createSend({ apiUrl, clock });
  return {
    tokenFor: () => Promise.resolve({ text: token, readsProjects: true, rateLimitKey: 'this person' }),
    refused: () => false,
    minted: () => 0,
    // It was there before us and stays.
    revoke: () => Promise.resolve(),
    identity: async () => {
      const answer = await send({ route: 'GET /user', authorization: `token ${token}` });
      if (answer.status !== 200) throw refusalOf('asking whose token this is', answer, clock.now());
      const { id, login } = parseAnswer('GET /user', z.object({ id: z.number(), login: z.string() }), answer.data);
      return { accountId: id, appId: null, login };
    },
  };
}
