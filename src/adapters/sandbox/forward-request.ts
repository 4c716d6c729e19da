import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../ports/clock.js';
import type { ModelTrouble } from '../../ports/model-gate.js';
import { AnswerReader } from './answer-reader.js';
import type { ModelLedger } from './model-ledger.js';
import { isModelRequest, judgeBody, makesMessage } from './request-policy.js';
import { carries, credentialHeader, type ModelCredential } from './run-token.js';

/** The API's own limit. */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

/** Headers that pass to the API: what it reads, and no credential of any kind. */
const PASSED_ON = /^(content-type|accept|user-agent|anthropic-.*|x-app|x-stainless-.*|x-claude-.*)$/;

/** Headers that belong to one connection, not to the answer. */
const HOP_BY_HOP = /^(connection|keep-alive|transfer-encoding|upgrade|trailer|proxy-.*)$/;

export interface Forwarding {
  /** What the run has to present. */
  readonly token: ModelCredential;
  /** What the API gets instead. */
  readonly credential: ModelCredential;
  readonly upstream: URL;
  readonly ledger: ModelLedger;
  readonly clock: Clock;
  /** What the run may spend. */
  readonly budgetUsd: number | null;
  /** Told when the model has answered. */
  readonly onAnswer: () => void;
  /** Told in a few words why a request was not passed on. */
  readonly onRefusal: (why: string) => void;
}

/** Passes one request on to the API and its answer back, both as they come, and counts what it uses. */
export async function forwardRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  forwarding: Forwarding,
): Promise<void> {
  const refuse = (status: number, type: string, why: string): void => {
    forwarding.onRefusal(why);
    // Tells the client not to try again: the answer would be the same.
    response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
    response.end(JSON.stringify({ type: 'error', error: { type, message: why } }));
  };
  if (!isModelRequest(incoming.method, incoming.url)) {
    return refuse(404, 'not_found_error', 'Only requests to the Messages API are passed on.');
  }
  if (!carries(incoming.headers, forwarding.token)) {
    return refuse(401, 'authentication_error', 'This is not the token of this run.');
  }
  const text = await readText(incoming);
  if (text === null) return refuse(413, 'request_too_large', 'Request exceeds the maximum size');
  const spent = overBudget(forwarding);
  if (spent !== null) {
    forwarding.ledger.found({ kind: 'over-budget', why: spent });
    return refuse(402, 'billing_error', spent);
  }
  const body = judgeBody(text);
  if (body.kind === 'refused') return refuse(400, 'invalid_request_error', body.why);
  await exchange(incoming, response, body, forwarding);
}

/** The CLI is told its budget, too; this holds even if it does not care. */
function overBudget({ ledger, budgetUsd }: Forwarding): string | null {
  const { costUsd } = ledger.usage();
  if (budgetUsd === null || costUsd < budgetUsd) return null;
  return `This run has spent ${costUsd.toFixed(2)} USD of its ${budgetUsd.toFixed(2)} USD.`;
}

async function readText(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function exchange(
  incoming: IncomingMessage,
  response: ServerResponse,
  { bytes, model }: { readonly bytes: Buffer; readonly model: string },
  { upstream, credential, ledger, clock, onAnswer }: Forwarding,
): Promise<void> {
  ledger.requested();
  const passedOn = Object.entries(incoming.headers).filter(([name]) => PASSED_ON.test(name));
  const headers = {
    ...Object.fromEntries(passedOn),
    ...credentialHeader(credential),
    // Compressed answers could not be counted.
    'accept-encoding': 'identity',
    'content-length': bytes.length,
  };
  const target = new URL(upstream.pathname.replace(/\/$/, '') + (incoming.url ?? ''), upstream);
  const gone = new AbortController();
  // An agent that went away pays for nothing more.
  response.once('close', () => void (response.writableFinished || gone.abort()));
  // Counting tokens has limits of its own: what it meets says nothing about messages.
  const found = makesMessage(incoming.url) ? (trouble: ModelTrouble | null) => ledger.found(trouble) : () => undefined;
  try {
    const answer = await send(target, headers, bytes, gone.signal);
    const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.test(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
    const head = { at: clock.now(), status: answer.statusCode ?? 0, headers: answer.headers };
    const reader = new AnswerReader(head, { model, bytes: bytes.length });
    await passBack(answer, response, { reader, ledger, found });
    if (makesMessage(incoming.url) && reader.isAnswered()) onAnswer();
  } catch (error) {
    if (!response.headersSent && !gone.signal.aborted) found({ kind: 'provider-down', why: unreachable(error) });
    breakOff(response, error);
  }
}

async function send(
  target: URL,
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
  body: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const open = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = open(target, { method: 'POST', headers, signal });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

interface Books {
  readonly reader: AnswerReader;
  readonly ledger: ModelLedger;
  readonly found: (trouble: ModelTrouble | null) => void;
}

async function passBack(
  answer: IncomingMessage,
  response: ServerResponse,
  { reader, ledger, found }: Books,
): Promise<void> {
  const close = ledger.count(reader.meter);
  found(reader.trouble());
  try {
    answer.on('data', (chunk: Buffer) => reader.push(chunk));
    await pipeline(answer, response);
    found(reader.finalTrouble());
  } catch (error) {
    // One that the agent no longer waited for is nobody's fault.
    found(isCutByApi(error) ? reader.finalTrouble() : reader.trouble());
    throw error;
  } finally {
    close();
  }
}

const isCutByApi = (error: unknown): boolean => codeOf(error) === 'ECONNRESET';

/** The connection to the API failed: said as an error while that is possible, else by ending the answer in the middle. */
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
