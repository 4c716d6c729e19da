import { type ClientRequest, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../ports/clock.js';
import type { ModelTrouble } from '../../../ports/model-gate.js';
import { AnswerReader } from '../usage/answer-reader.js';
import { mostInput, usualInput } from '../usage/input-estimate.js';
import type { JudgedRequest } from '../judge/judge-body.js';
import { withMaxTokens } from './with-max-tokens.js';
import type { ModelLedger, OpenRequest } from '../usage/model-ledger.js';
import { passedHeaders } from './passed-headers.js';
import { credentialHeader, type ModelCredential } from '../run-token.js';
import { type AnswerUsage, withCost } from '../usage/usage-meter.js';

/** Headers that belong to one connection, not to the answer. */
const HOP_BY_HOP = /^(connection|keep-alive|transfer-encoding|upgrade|trailer|proxy-.*)$/;

const SLICE_BYTES = 256 * 1024;

/** Faster than any model answers. */
const MOST_TOKENS_PER_SECOND = 200;

/** The API, and the credential that replaces the run's token. */
export interface Upstream {
  readonly url: URL;
  readonly credential: ModelCredential;
}

/** A request that was checked and paid for, with its response. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** The agent went away. */
  readonly gone: AbortSignal;
  readonly judged: JudgedRequest;
  /** The checked bytes; released once the API has them. */
  readonly body: { readonly bytes: Buffer; readonly giveBack: () => void };
  /** The granted output tokens, possibly fewer than requested. */
  readonly maxTokens: number;
  readonly request: OpenRequest;
}

export interface Forwarding {
  readonly upstream: Upstream;
  readonly ledger: ModelLedger;
  readonly clock: Clock;
  /** Called when the model has answered. */
  readonly onAnswer: () => void;
}

/** Forwards one request and streams its answer back, counting what it uses. */
export async function forwardRequest(exchange: Exchange, forwarding: Forwarding): Promise<void> {
  const { response, judged, gone, request } = exchange;
  const { ledger, clock, onAnswer } = forwarding;
  // Token counting has its own limits; its troubles say nothing about messages.
  const makesMessage = judged.maxTokens !== null;
  const found = makesMessage ? (trouble: ModelTrouble | null) => ledger.found(trouble) : () => undefined;
  const startedAt = clock.steady();
  const books: { reader: AnswerReader | null; error: unknown } = { reader: null, error: null };
  try {
    const answer = await send(exchange, forwarding);
    const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.test(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
    const head = { at: clock.now(), status: answer.statusCode ?? 0, headers: answer.headers };
    const reader = new AnswerReader(head, { model: judged.model, bytes: judged.input.textBytes });
    books.reader = reader;
    request.answers(reader.meter);
    await passBack(answer, response, reader, found);
    if (makesMessage && reader.isAnswered()) onAnswer();
  } catch (error) {
    books.error = error;
    if (!response.headersSent && !gone.aborted) found({ kind: 'provider-down', why: unreachable(error) });
    breakOff(response, error);
  } finally {
    request.close(books.error === null ? null : cutUsage(exchange, { ...books, ms: clock.steady() - startedAt }));
  }
}

/** How a request was cut off. */
interface Cut {
  readonly reader: AnswerReader | null;
  readonly error: unknown;
  /** How long it ran. */
  readonly ms: number;
}

/**
 * The usage of a request that was cut off before the API reported any. The API charges for it anyway. If the agent cut it off, it counts as
 * the most it can have cost, hidden thinking included, so that nobody can spend money by cutting off.
 */
function cutUsage({ judged, gone, maxTokens }: Exchange, { reader, error, ms }: Cut): AnswerUsage | null {
  if (judged.maxTokens === null || reader?.isGood === false || wasNeverSent(error)) return null;
  if (!gone.aborted) return withCost(judged.model, usualInput(judged.input));
  const made = Math.ceil((ms / 1000) * MOST_TOKENS_PER_SECOND);
  // An answer that is not streamed shows nothing while it is made.
  const output = judged.isStreamed ? Math.min(made, maxTokens) : maxTokens;
  return withCost(judged.model, { ...mostInput(judged.input), output });
}

async function send(exchange: Exchange, { upstream }: Forwarding): Promise<IncomingMessage> {
  const { incoming, body, judged, maxTokens, gone } = exchange;
  const pieces = judged.maxTokens === null ? [body.bytes] : withMaxTokens(body.bytes, judged, maxTokens);
  const headers = {
    ...passedHeaders(incoming.headers),
    ...credentialHeader(upstream.credential),
    // Compressed answers could not be counted.
    'accept-encoding': 'identity',
    'content-length': pieces.reduce((sum, piece) => sum + piece.length, 0),
  };
  const target = new URL(upstream.url.pathname.replace(/\/$/, '') + (incoming.url ?? ''), upstream.url);
  const open = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = open(target, { method: 'POST', headers, signal: gone });
    request.once('response', resolve);
    request.once('error', reject);
    request.once('finish', body.giveBack);
    void writeSlowly(request, pieces);
  });
}

/** Writes at the pace the API reads: encrypting a large request at once would delay everybody. */
async function writeSlowly(request: ClientRequest, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      if (request.destroyed) return;
      const isTaken = request.write(piece.subarray(at, at + SLICE_BYTES));
      if (!isTaken) await waitForDrain(request);
    }
  }
  request.end();
}

async function waitForDrain(request: ClientRequest): Promise<void> {
  await new Promise<void>((resolve) => {
    request.once('drain', resolve);
    request.once('close', resolve);
  });
}

async function passBack(
  answer: IncomingMessage,
  response: ServerResponse,
  reader: AnswerReader,
  found: (trouble: ModelTrouble | null) => void,
): Promise<void> {
  found(reader.trouble());
  try {
    answer.on('data', (chunk: Buffer) => reader.push(chunk));
    await pipeline(answer, response);
    found(reader.finalTrouble());
  } catch (error) {
    // If the agent went away, nothing is wrong with the API.
    found(isCutByApi(error) ? reader.finalTrouble() : reader.trouble());
    throw error;
  }
}

const isCutByApi = (error: unknown): boolean => codeOf(error) === 'ECONNRESET';

/** The connection failed, so nothing was sent. */
function wasNeverSent(error: unknown): boolean {
  const isAbout = typeof error === 'object' && error !== null && 'syscall' in error ? String(error.syscall) : '';
  return ['connect', 'getaddrinfo'].includes(isAbout);
}

/** The connection to the API failed. Sends an error if the answer has not begun; otherwise breaks it off. */
function breakOff(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(502, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: unreachable(error) } }));
}

const unreachable = (error: unknown): string => `The model API could not be reached (${codeOf(error)}).`;

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
}
