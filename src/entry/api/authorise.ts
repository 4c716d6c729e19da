import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isLoopback } from '../../config/github-urls.js';
import { ApiError } from './api-error.js';

/** Who may use the API. */
export interface ApiAccess {
  readonly token: string;
  /** Only programs on this machine: the token was generated, so nobody elsewhere knows it. */
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

/** Detects DNS rebinding: a web page that makes a browser reach us under its own host name. */
function requireLoopbackHost(host = ''): void {
  if (URL.canParse(`http://${host}`) && isLoopback(`http://${host}`)) return;
  throw new ApiError(403, 'loopback-only', {
    message: 'While SLUICE_API_TOKEN is not set this API answers only under a loopback name.',
    remedy: 'Ask http://127.0.0.1 or http://localhost, or set SLUICE_API_TOKEN.',
  });
}

/** Browsers name the page a request comes from. Only the service's own page may write. */
function requireOwnOrigin(headers: IncomingHttpHeaders): void {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
  if (isOwn && (site === 'none' || site === 'same-origin')) return;
  throw new ApiError(403, 'cross-origin', {
    message: 'This was sent by a page of another site.',
    remedy: 'Ask from a program, or from a page that this service serves itself.',
  });
}

/** Requires JSON: a page can send forms and plain text to any host, but JSON only with CORS, which we never grant. */
export function requireJson({ headers, method }: RequestHead): void {
  if (READING.has(method ?? '')) return;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new ApiError(415, 'not-json', {
    message: 'The request is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`, also without a body.',
  });
}

/** Compares digests in constant time, because lengths would leak. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
