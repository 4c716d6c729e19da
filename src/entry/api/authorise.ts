import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../config/github-urls.js';
import { ApiError } from './api-error.js';

/** Throws unless the request may be answered. Without a token only programs of this machine are answered. */
export function authorise({ headers }: Pick<IncomingMessage, 'headers'>, token: string | null): void {
  if (token === null) return asNeighbour(headers.host);
  const [, given] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (given !== undefined && isSame(given, token)) return;
  throw new ApiError(401, given === undefined ? 'token-missing' : 'token-wrong', {
    message: given === undefined ? 'This API asks for a token.' : 'This is not the token of this API.',
    remedy: 'Send `Authorization: Bearer …` with the value of SLUICE_API_TOKEN.',
    headers: { 'www-authenticate': 'Bearer realm="sluice"' },
  });
}

/** A page on the internet can make a browser ask us, under a name of its own: this is how it shows. */
function asNeighbour(host = ''): void {
  if (URL.canParse(`http://${host}`) && isLoopback(`http://${host}`)) return;
  throw new ApiError(403, 'not-from-here', {
    message: 'Without a token this API answers only under a loopback name.',
    remedy: 'Ask http://127.0.0.1 or http://localhost, or set SLUICE_API_TOKEN.',
  });
}

/** Takes as long whatever differs: of their digests, since lengths would show. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
