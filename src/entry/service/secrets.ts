import type { SigningKeys } from '../../adapters/state/signature.js';
import { createRedactor, type Redact } from '../../domain/sanitise/redact.js';

/** All secrets in a configuration. */
export interface Confidential {
  readonly app?: { readonly privateKey: string };
  readonly signingKeys?: SigningKeys;
  readonly webhookSecrets?: readonly string[];
  readonly api?: { readonly token: string } | null;
  readonly model?: { readonly credential: { readonly value: string } };
  readonly redisUrl?: string | undefined;
}

/** Removes these secrets from everything that leaves: texts on GitHub, commits, states and the log. */
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
