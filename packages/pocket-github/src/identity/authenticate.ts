import type { Instant } from '../clock/clock.js';
import { badCredentials, forbidden } from '../world/errors.js';
import type { Token } from '../world/model.js';
import type { Tables } from '../world/tables.js';
import { appOfJwt } from './jwt.js';
import type { Viewer } from './viewer.js';

/** The identity behind an `Authorization` header. No header means anonymous; a wrong one is 401. */
export function authenticate(db: Tables, authorization: string | undefined, now: Instant): Viewer {
  if (authorization === undefined || authorization === '') return { kind: 'anonymous' };
  const credential = credentialIn(authorization);
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential) && credential.startsWith('ey')) {
    return { kind: 'app', app: appOfJwt(db, credential, now) };
  }
  const token = db.tokens.by('text', credential)[0];
  if (token === undefined || !isAlive(token, now)) throw badCredentials();
  return viewerOf(db, token);
}

/** `Bearer X`, `token X`, or the password of Basic, which is how git presents a token. */
function credentialIn(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(/\s+/, 2);
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'token':
      return value;
    case 'basic': {
      const decoded = Buffer.from(value, 'base64').toString('utf8');
      const colon = decoded.indexOf(':');
      const password = decoded.slice(colon + 1);
      return password === 'x-oauth-basic' || password === '' ? decoded.slice(0, Math.max(0, colon)) : password;
    }
    default:
      throw badCredentials();
  }
}

function isAlive(token: Token, now: Instant): boolean {
  return token.revokedAt === null && (token.expiresAt === null || now < token.expiresAt);
}

function viewerOf(db: Tables, token: Token): Viewer {
  const user = db.users.must(token.userId);
  if (token.installationId === null) return { kind: 'personal', user, token };
  const installation = db.installations.get(token.installationId);
  if (installation === undefined) throw badCredentials();
  if (installation.suspendedAt !== null) throw forbidden('This installation has been suspended');
  return { kind: 'installation', app: db.apps.must(installation.appId), installation, user, token };
}
