import type { Authorization } from '../client/rules/rule.js';
import type { AccessToken } from './token-source.js';

/** Where tokens come from. */
export interface TokenCredential {
  readonly token: () => Promise<AccessToken>;
  /** Called when GitHub refused the token. Returns whether another one may work. */
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
