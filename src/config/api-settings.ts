import { z } from 'zod';
import { isLoopback } from './github-urls.js';

/** Whether the API is on, and who may use it. */
export type ApiSettings =
  | { readonly kind: 'off' }
  /** `null`: none is set. Then a token is generated, and only programs on this machine get answers. */
  | { readonly kind: 'on'; readonly token: string | null };

const SHORTEST_TOKEN = 16;

/** The API's settings, which depend on several variables together. */
export const apiSettings = z
  .object({ SLUICE_API: z.string().optional(), SLUICE_API_TOKEN: z.string().optional(), HOST: z.string().optional() })
  .transform(({ SLUICE_API: wanted = 'on', SLUICE_API_TOKEN: token, HOST: host }, context): ApiSettings => {
    const refused = (name: string, message: string): never => {
      context.addIssue({ code: 'custom', path: [name], message });
      return z.NEVER;
    };
    if (wanted === 'off') return { kind: 'off' };
    if (wanted !== 'on') return refused('SLUICE_API', 'is not usable: use on or off; without it, on.');
    if (token !== undefined && (token.length < SHORTEST_TOKEN || /\s/.test(token))) {
      return refused(
        'SLUICE_API_TOKEN',
        `is not usable: use at least ${SHORTEST_TOKEN} characters without spaces, such as what \`openssl rand -hex 32\` prints.`,
      );
    }
    if (token === undefined && host !== undefined && !isLoopbackHost(host)) {
      return refused(
        'SLUICE_API_TOKEN',
        'is missing: HOST can be reached from other machines, and whoever asks from there has to know a token. ' +
          'Set it to a secret, such as what `openssl rand -hex 32` prints, or set SLUICE_API=off to take webhooks only.',
      );
    }
    return { kind: 'on', token: token ?? null };
  });

function isLoopbackHost(host: string): boolean {
  const url = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}`;
  return URL.canParse(url) && isLoopback(url);
}
