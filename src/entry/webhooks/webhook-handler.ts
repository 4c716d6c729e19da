import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Instant } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Self } from './events/payload-shapes.js';
import type { Handler } from '../service/server.js';
import { type BodyBudget, createBodyBudget } from './body-budget.js';
import { HANDLED_EVENTS, mayMatter } from './may-matter.js';
import { type BodyReading, type NoBody, readBody } from './read-body.js';
import type { ReceiveWebhook } from './receive-webhook.js';
import { isSigned } from './signature.js';

export interface WebhookHandlerOptions {
  /** The secret, and the previous one during a change. */
  readonly secrets: readonly string[];
  readonly maxBytes: number;
  /** The budget for unchecked bodies; has a default. */
  readonly budget?: BodyBudget;
  /** Our own identity, to recognise our own events. */
  readonly self: Self;
  /** The webhook is stored when it resolves. */
  readonly receive: ReceiveWebhook;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where GitHub sends its webhooks: Probot's own default. */
export const WEBHOOKS_PATH = '/api/github/webhooks';

/** What GitHub shows as the response to a delivery. */
interface Answer {
  readonly status: number;
  readonly text: string;
  /** Closes the connection after the answer. */
  readonly ends?: true;
}

const DELIVERY_ID = /^[\w-]{1,64}$/;
/** The same refusal is logged once in this time, so that invalid requests cannot fill the disk. */
const QUIET_MS = 60_000;

/**
 * Accepts webhooks that GitHub signed, that concern us and that are new. They are stored before they are acknowledged. All others cost no
 * write: a redelivery of one is ignored again.
 */
export function createWebhookHandler(options: WebhookHandlerOptions): Handler {
  const note = refusalNotes(options);
  const reading = { ...options, budget: options.budget ?? createBodyBudget() };
  return async (request, response, { pathname }) => {
    if (pathname !== WEBHOOKS_PATH) return false;
    const answer = await answerTo(request, reading);
    if (answer.status >= 400) note(answer);
    send(request, response, answer);
    return true;
  };
}

/** Logs refusals, each kind at most once a minute, with their number since the last line. */
function refusalNotes({ clock, log }: WebhookHandlerOptions): (answer: Answer) => void {
  const noted = new Map<number, { readonly at: Instant; readonly since: number }>();
  return ({ status, text }) => {
    const last = noted.get(status);
    const times = (last?.since ?? 0) + 1;
    const quiet = last !== undefined && clock.now() - last.at < QUIET_MS;
    noted.set(status, quiet ? { ...last, since: times } : { at: clock.now(), since: 0 });
    if (!quiet) log.warn({ status, why: text, times }, 'webhook refused');
  };
}

async function answerTo(request: IncomingMessage, options: WebhookHandlerOptions & BodyReading): Promise<Answer> {
  const wrong = wrongEnvelope(request);
  if (wrong !== null) return wrong;
  const body = await readBody(request, options);
  if (typeof body === 'string') return withoutBody(body, options.maxBytes);
  if (!isSigned(body, header(request, 'x-hub-signature-256'), options.secrets))
    return { status: 401, text: 'X-Hub-Signature-256 does not fit: compare WEBHOOK_SECRET with the secret of the App' };
  return takeIn(header(request, 'x-github-event') ?? '', header(request, 'x-github-delivery') ?? '', body, options);
}

function withoutBody(why: NoBody, maxBytes: number): Answer {
  switch (why) {
    case 'broken':
      return { status: 400, text: 'the request ended before its body did' };
    case 'too-long':
      return { status: 413, text: `more than ${maxBytes} bytes are not taken` };
    case 'too-slow':
      return { status: 408, text: 'the body did not come in time; deliver it again', ends: true };
    case 'crowded':
      return { status: 503, text: 'too much is being sent at once; deliver it again later', ends: true };
  }
}

/** What is wrong with the headers; `null` when nothing is. */
function wrongEnvelope(request: IncomingMessage): Answer | null {
  if (request.method !== 'POST') return { status: 405, text: 'webhooks are sent with POST' };
  if (!/^application\/json\s*(;|$)/i.test(header(request, 'content-type') ?? ''))
    return { status: 415, text: 'set the content type of the webhook to application/json' };
  if (!/^\w{1,100}$/.test(header(request, 'x-github-event') ?? ''))
    return { status: 400, text: 'X-GitHub-Event is missing or not a name' };
  if (!DELIVERY_ID.test(header(request, 'x-github-delivery') ?? ''))
    return { status: 400, text: 'X-GitHub-Delivery is missing or not an id' };
  return null;
}

/** Handles a signed webhook. The allow-list and the text are checked before anything is parsed. */
async function takeIn(
  name: string,
  id: string,
  body: Buffer,
  { self, receive, log }: WebhookHandlerOptions,
): Promise<Answer> {
  if (!HANDLED_EVENTS.includes(name)) return { status: 202, text: `${name} is not listened to` };
  if (!mayMatter(name, body, self)) return NOTHING;
  const payload = parseObject(body);
  if (payload === null) return { status: 400, text: 'the body is not a JSON object' };
  try {
    const result = await receive({ id, name, payload });
    if (result === 'ignored') return NOTHING;
    return { status: 202, text: result === 'queued' ? 'taken' : 'known already' };
  } catch (error) {
    log.warn({ delivery: id, event: name, error: String(error) }, 'webhook not queued');
    return { status: 503, text: 'it cannot be kept now; deliver it again later' };
  }
}

const NOTHING: Answer = { status: 202, text: 'nothing in it concerns Sluice' };

function parseObject(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function send(request: IncomingMessage, response: ServerResponse, { status, text, ends }: Answer): void {
  if (response.destroyed) return;
  const close = ends === true ? { connection: 'close' } : {};
  const more = status === 405 ? { allow: 'POST' } : status === 503 ? { 'retry-after': '60' } : {};
  // As text with its length, so that Node writes head and body at once.
  const body = `${text}\n`;
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': length,
    ...more,
    ...close,
  });
  response.end(body, () => void (ends === true && request.socket.destroy()));
}
