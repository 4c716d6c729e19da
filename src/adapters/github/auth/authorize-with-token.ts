import type { Authorization } from '../client/rules/rule.js';
import type { AccessToken } from './token-source.js';

/** Where tokens come from. */
export interface TokenCredential {
  readonly token: () => Promise<AccessToken>;
  /** It was not taken. Answers whether there may be another one. */
  readonly refused: (token: AccessToken) => boolean;
}

export const authorizeWithToken =
  ({ token, refused }: TokenCredential) =>
  async (): Promise<Authorization> => {
    const current = await token();
    return {
      header: `token ${current.text}`,
      rateLimitKey: current.rateLimitKey,
      shouldRetry: ({ status }) => status === 401 && refused(current),
    };
  };
