import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from './clock.js';
import { Connection } from './delivery/connection.js';
import { deliver } from './delivery/deliver.js';
import { failureBody, failureHeaders } from './delivery/failure.js';
import { toWireMessage } from './delivery/wire-message.js';
import { credentialOf, credentialProblem } from './protocol/credential.js';
import { apiError, type ErrorStatus } from './protocol/errors.js';
import type { IdSource } from './protocol/ids.js';
import { type ModelRequest, toModelRequest } from './protocol/model-request.js';
import { parseCountBody, parseMessagesBody } from './protocol/request-body.js';
import { readBody } from './protocol/read-body.js';
import type { AnswerEnding, RequestLog, Stray } from './request-log.js';
import type { Choice } from './script/playbook.js';
import type { Turn } from './script/turn.js';

export interface HandlerParts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: RequestLog;
  /** Credentials that are accepted; `null` accepts any or none. */
  readonly apiKeys: readonly string[] | null;
  readonly choose: (request: ModelRequest) => Promise<Choice>;
  readonly isClosing: () => boolean;
}

/** Answers one HTTP request from start to end. */
export class Handler {
  readonly #parts: HandlerParts;

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, ids, apiKeys } = this.#parts;
    const connection = new Connection(response, clock);
    const requestId = ids('req');
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const stray = (kind: Stray['kind'], status: ErrorStatus, because: string): Promise<void> => {
      this.#parts.log.addStray({ kind, at: clock.now(), requestId, method: request.method ?? '', path, because });
      return send(connection, requestId, status, apiError(status, requestId, because));
    };

    const isMessages = path === '/v1/messages';
    if (request.method !== 'POST' || !(isMessages || path === '/v1/messages/count_tokens')) {
      return stray('unexpected', 404, `The scripted model has no ${request.method ?? ''} ${path}.`);
    }
    const refused = credentialProblem(credentialOf(request.headers), apiKeys);
    if (refused !== null) return stray('unauthorised', 401, refused);
    if (request.headers['anthropic-version'] === undefined) {
      return stray('malformed', 400, 'anthropic-version: header is required');
    }
    const body = await readBody(request);
    if (body.kind === 'unfinished') return;
    if (body.kind === 'too-large') return stray('malformed', 413, 'Request exceeds the maximum size');
    const parsed = isMessages ? parseMessagesBody(body.text) : parseCountBody(body.text);
    if ('problem' in parsed) return stray('malformed', 400, parsed.problem);
    const modelRequest = toModelRequest(parsed.body, request.headers);
    return isMessages
      ? this.#answer(connection, requestId, modelRequest)
      : this.#count(connection, requestId, modelRequest);
  }

  async #count(connection: Connection, requestId: string, request: ModelRequest): Promise<void> {
    this.#parts.log.add({ at: this.#parts.clock.now(), requestId, request })({ kind: 'counted' });
    await send(connection, requestId, 200, { input_tokens: request.estimatedInputTokens });
  }

  async #answer(connection: Connection, requestId: string, request: ModelRequest): Promise<void> {
    const setAnswer = this.#parts.log.add({ at: this.#parts.clock.now(), requestId, request });
    const choice = await Promise.race([this.#parts.choose(request), connection.whenGone]);
    if (choice === undefined) return;
    if ('because' in choice) {
      setAnswer({ kind: 'unmatched', because: choice.because });
      const body = apiError(500, requestId, choice.because);
      // Tells Anthropic's clients not to try again: a missing script does not appear by itself.
      return send(connection, requestId, 500, body, { 'x-should-retry': 'false' });
    }
    const { script, turn } = choice;
    const sending = this.#send(connection, requestId, request, turn);
    setAnswer({ kind: 'scripted', script, turn, ending: 'open' });
    setAnswer({ kind: 'scripted', script, turn, ending: await sending });
  }

  async #send(connection: Connection, requestId: string, request: ModelRequest, turn: Turn): Promise<AnswerEnding> {
    const { clock, ids, isClosing } = this.#parts;
    if (turn.kind === 'failure') {
      const headers = failureHeaders(turn, clock.now());
      await send(connection, requestId, turn.status, failureBody(turn, request, requestId), headers);
      return 'complete';
    }
    const message = toWireMessage(turn, request, ids);
    const ending = await deliver(connection, { message, stream: request.stream, requestId }, turn.delivery);
    if (ending !== 'complete' || !connection.gone) return ending;
    return isClosing() ? 'closed' : 'abandoned';
  }
}

async function send(
  connection: Connection,
  requestId: string,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  connection.open(status, { 'content-type': 'application/json', 'request-id': requestId, ...headers });
  await connection.send(Buffer.from(JSON.stringify(body)));
  connection.end();
}
