import { createPublicKey, verify } from 'node:crypto';
import type { Instant } from '../clock/clock.js';
import { GitHubError, undecodableJwt } from '../world/errors.js';
import type { App } from '../world/model.js';
import type { Tables } from '../world/tables.js';

/** GitHub accepts no JWT that lives longer. It forgives no clock that runs ahead: clients date theirs a minute back. */
const MAX_LIFE_SECONDS = 600;

interface Claims {
  readonly iat?: unknown;
  readonly exp?: unknown;
  readonly iss?: unknown;
}

/** The App a JWT was signed by, or GitHub's 401. */
export function appOfJwt(db: Tables, jwt: string, now: Instant): App {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const claims: Claims = decode(payload);
  if (decode(header)['alg'] !== 'RS256') throw undecodableJwt();
  const app = issuerOf(db, claims.iss);
  const genuine = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    createPublicKey(app.publicKey),
    Buffer.from(signature, 'base64url'),
  );
  if (!genuine) throw undecodableJwt();
  checkTimes(claims, Math.floor(now / 1000));
  return app;
}

/** `iss` is the App's id, as a number or its digits, or its client id. An App that is built in has no key to sign with. */
function issuerOf(db: Tables, iss: unknown): App {
  const issuer = typeof iss === 'string' || typeof iss === 'number' ? String(iss) : '';
  const app = db.apps.all().find((candidate) => String(candidate.id) === issuer || candidate.clientId === issuer);
  if (app !== undefined && app.publicKey !== '') return app;
  if (/^\d+$/.test(issuer)) throw new GitHubError(404, 'Integration not found');
  throw new GitHubError(401, "'Issuer' claim ('iss') must be an Integer");
}

function checkTimes(claims: Claims, now: number): void {
  if (typeof claims.iat !== 'number' || claims.iat > now) {
    throw new GitHubError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (typeof claims.exp !== 'number' || claims.exp <= now) {
    throw new GitHubError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (claims.exp > now + MAX_LIFE_SECONDS) {
    throw new GitHubError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

function decode(part: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    throw undecodableJwt();
  }
  if (typeof value !== 'object' || value === null) throw undecodableJwt();
  return value as Record<string, unknown>;
}
