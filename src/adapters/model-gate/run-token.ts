import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How the service pays for the model. */
export interface ModelCredential {
  /** An API key, or the OAuth token of a subscription. */
  readonly kind: 'api-key' | 'oauth';
  readonly value: string;
}

const ENV_NAMES = { 'api-key': 'ANTHROPIC_API_KEY', oauth: 'CLAUDE_CODE_OAUTH_TOKEN' } as const;
const PREFIXES = { 'api-key': 'sk-ant-api03-', oauth: 'sk-ant-oat01-' } as const;

/** A token for one run, in the form of the real credential, because the CLI behaves differently for each kind. */
export function newRunToken(kind: ModelCredential['kind']): ModelCredential {
  return { kind, value: `${PREFIXES[kind]}${randomBytes(69).toString('base64url')}_AA` };
}

/** Identifies a credential without revealing it. */
export function credentialId({ kind, value }: ModelCredential): string {
  return createHash('sha256').update(`sluice account\0${kind}\0${value}`).digest('hex').slice(0, 12);
}

/** The environment variable that gives the CLI a credential. */
export function credentialEnv({ kind, value }: ModelCredential): Record<string, string> {
  return { [ENV_NAMES[kind]]: value };
}

/** The header that carries a credential. */
export function credentialHeader({ kind, value }: ModelCredential): Record<string, string> {
  return kind === 'api-key' ? { 'x-api-key': value } : { authorization: `Bearer ${value}` };
}

export function carries(headers: IncomingHttpHeaders, token: ModelCredential): boolean {
  const [[name, expected] = ['', '']] = Object.entries(credentialHeader(token));
  const given = Buffer.from(String(headers[name] ?? ''));
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}
