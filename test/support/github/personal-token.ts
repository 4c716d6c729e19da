import { z } from 'zod';
import { parseAnswer } from '../../../src/adapters/github/client/errors.js';
import { createOctokit, type OctokitOptions } from '../../../src/adapters/github/client/octokit.js';
import { requestAs } from '../../../src/adapters/github/client/rules/rule.js';
import type { TokenSource } from '../../../src/adapters/github/auth/token-source.js';

export interface PersonalTokenOptions extends Pick<OctokitOptions, 'apiUrl' | 'clock' | 'log'> {
  readonly token: string;
}

/** A person's own token, with all of the person's rights. */
export function createPersonalToken({ token, ...options }: PersonalTokenOptions): TokenSource {
  const { rest } = createOctokit(options);
  return {
    tokenFor: () => Promise.resolve({ text: token, readsProjects: true, rateLimitKey: 'this person' }),
    refused: () => false,
    minted: () => 0,
    // It is not ours to revoke.
    revoke: () => Promise.resolve(),
    identity: async () => {
      const { data } = await rest.users.getAuthenticated({ request: requestAs(`token ${token}`) });
      const { id, login } = parseAnswer('GET /user', z.object({ id: z.number(), login: z.string() }), data);
      return { accountId: id, appId: null, login };
    },
  };
}
