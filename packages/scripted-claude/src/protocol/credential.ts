import type { IncomingHttpHeaders } from 'node:http';

export type Credential =
  /** An API key in `x-api-key`. */
  | { readonly kind: 'api-key'; readonly value: string }
  /** An OAuth token (a subscription) in `authorization: Bearer`. */
  | { readonly kind: 'bearer'; readonly value: string }
  | { readonly kind: 'none' };

export function credentialOf(headers: IncomingHttpHeaders): Credential {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return { kind: 'api-key', value: key };
  const token = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', value: token };
}

/** Why this credential is refused, or `null` when it is one of `accepted` (or none is asked for). */
export function credentialProblem(credential: Credential, accepted: readonly string[] | null): string | null {
  if (accepted === null) return null;
  if (credential.kind === 'none') return 'x-api-key header is required';
  if (accepted.includes(credential.value)) return null;
  return credential.kind === 'api-key' ? 'invalid x-api-key' : 'Invalid bearer token';
}
