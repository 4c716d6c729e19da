import type { SigningKeys } from '../../adapters/state/signature.js';
import { createRedactor, type Redact } from '../../domain/sanitise/redact.js';

/** Everything in a configuration that must never be said; each part as far as there is one. */
export interface Confidential {
  readonly app?: { readonly privateKey: string };
  readonly signingKeys?: SigningKeys;
  readonly webhookSecrets?: readonly string[];
  readonly api?: { readonly token: string } | null;
  readonly model?: { readonly credential: { readonly value: string } };
  readonly redisUrl?: string | undefined;
}

/** What takes these secrets out of anything that leaves: texts on GitHub, commits, states and the log. */
export function redactorFor(config: Confidential): Redact {
  const { app, signingKeys, webhookSecrets, api, model, redisUrl } = config;
  return createRedactor(
    [
      app?.privateKey,
      signingKeys?.current.secret,
      signingKeys?.previous?.secret,
      ...(webhookSecrets ?? []),
      api?.token,
      model?.credential.value,
      passwordIn(redisUrl),
    ].filter((secret) => typeof secret === 'string'),
  );
}

function passwordIn(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return decodeURIComponent(new URL(url).password);
}
