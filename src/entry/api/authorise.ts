import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isLoopback } from '../../config/github-urls.js';
import { ApiError } from './api-error.js';

/** Who is answered. */
export interface ApiAccess {
  readonly token: string;
  /** Only programs of this machine: nobody has set a token, so nobody elsewhere can know it. */
  readonly isLocal: boolean;
}

type RequestHead = Pick<IncomingMessage, 'headers' | 'method'>;

/** Throws unless the request may be answered. */
export function authorise({ headers, method }: RequestHead, { token, isLocal }: ApiAccess): void {
  if (isLocal) requireLoopbackHost(headers.host);
  requireToken(headers, token);
  if (!READING.has(method ?? '')) requireOwnOrigin(headers);
}

/** Methods that change nothing. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

function requireToken(headers: IncomingHttpHeaders, token: string): void {
  const [, given] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (given !== undefined && isSame(given, token)) return;
  throw new ApiError(401, given === undefined ? 'missing-token' : 'invalid-token', {
    message: given === undefined ? 'This API asks for a token.' : 'This is not the token of this API.',
    remedy:
      'Send `Authorization: Bearer …` with the value of SLUICE_API_TOKEN, or of the file api-token in the service’s folder.',
    headers: { 'www-authenticate': 'Bearer realm="sluice"' },
  });
}

/** A page on the internet can make a browser ask us, under a name of its own: this is how it shows. */
function requireLoopbackHost(host = ''): void {
  if (URL.canParse(`http://${host}`) && isLoopback(`http://${host}`)) return;
  throw new ApiError(403, 'loopback-only', {
    message: 'While SLUICE_API_TOKEN is not set this API answers only under a loopback name.',
    remedy: 'Ask http://127.0.0.1 or http://localhost, or set SLUICE_API_TOKEN.',
  });
}

/** Browsers say which page a request comes from. No page but the service's own has anything to write here. */
function requireOwnOrigin(headers: IncomingHttpHeaders): void {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
  if (isOwn && (site === 'none' || site === 'same-origin')) return;
  throw new ApiError(403, 'cross-origin', {
    message: 'This was sent by a page of another site.',
    remedy: 'Ask from a program, or from a page that this service serves itself.',
  });
}

/** A page can have a browser send forms and plain text to anybody; JSON only to whoever agrees, which we never do. */
export function requireJson({ headers, method }: RequestHead): void {
  if (READING.has(method ?? '')) return;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new ApiError(415, 'not-json', {
    message: 'The request is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`, also without a body.',
  });
}

/** Takes as long whatever differs: of their digests, since lengths would show. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
