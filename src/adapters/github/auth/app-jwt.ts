import { createSign } from 'node:crypto';
import type { Instant } from '../../../ports/clock.js';

/** GitHub takes none that live longer than ten minutes, and none from the future: clocks differ. */
const LEEWAY_SECONDS = 60;
const LIFE_SECONDS = 9 * 60;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An App's own credential, at `now` by GitHub's clock: good for asking about itself and for making installation tokens. */
export function appJwt(appId: number, privateKey: string, now: Instant): string {
  const seconds = Math.floor(now / 1000);
  const claims = { iat: seconds - LEEWAY_SECONDS, exp: seconds + LIFE_SECONDS - LEEWAY_SECONDS, iss: String(appId) };
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}
