import type { IncomingMessage, ServerResponse } from 'node:http';
import { type IssueRef, parseIssue } from '../../domain/issue/ids.js';
import type { Clock } from '../../ports/clock.js';
import { type EventLog, FIRST } from '../../ports/event-log.js';
import type { Log } from '../../ports/log.js';
import type { Handler } from '../service/server.js';
import { type AccountService, showAccount, showKillSwitch } from './account-service.js';
import { type Answer, failure, send } from './answer.js';
import { ApiError, asApiError, noSuchIssue } from './api-error.js';
import { type ApiAccess, authorise, requireJson } from './authorise.js';
import { EventStreams, type EventStreamsOptions } from './event-streams.js';
import { eventPage, shows } from './event-view.js';
import * as inputs from './inputs.js';
import { openApi } from './open-api.js';
import { parseBody, parseQuery, readBody } from './read-request.js';
import { findRoute, type Operation } from './routes.js';
import { listRuns, nameOf, type RunService, showRun, startRun, stopRun } from './runs.js';

export interface ApiParts {
  readonly access: ApiAccess;
  readonly runs: RunService;
  readonly account: AccountService;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly streams?: Partial<EventStreamsOptions>;
}

/** The HTTP API: starts, stops and reports runs, for programs. */
export interface Api {
  readonly handle: Handler;
  /** Ends the streams that are open. */
  close(): void;
}

/** A request being handled. */
interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

type Operations = Readonly<Record<Operation, (call: Call) => Promise<Answer | 'streamed'>>>;

/** All paths of the API, without GitHub's webhooks. */
const OURS = /^\/api\/(?!github(\/|$))/;

export function createApi(parts: ApiParts): Api {
  const { access, clock, log } = parts;
  const streams = new EventStreams({ ...parts, ...parts.streams });
  const operations = operationsOn(parts, streams);
  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<Answer | 'streamed'> => {
    authorise(request, access);
    const found = findRoute(request.method ?? '', url.pathname);
    if (found.kind === 'not-found') throw notFound();
    if (found.kind === 'method-not-allowed') throw methodNotAllowed(found.allow);
    requireJson(request);
    return operations[found.operation]({ request, response, params: found.params, query: url.searchParams });
  };
  const handle: Handler = async (request, response, url) => {
    if (!OURS.test(url.pathname)) return false;
    try {
      const given = await answer(request, response, url);
      if (given !== 'streamed') send(response, given);
    } catch (error) {
      const known = asApiError(error, clock.now());
      if (known === null) log.error({ error, path: url.pathname }, 'API request failed');
      send(response, failure(known ?? internalError()));
    }
    return true;
  };
  return { handle, close: () => streams.close() };
}

function operationsOn({ runs, account, events }: ApiParts, streams: EventStreams): Operations {
  return {
    startRun: async ({ request, params }) =>
      startRun(runs, issueIn(params), parseBody(inputs.startBody, await readBody(request))),
    getRun: ({ request, params }) => showRun(runs, issueIn(params), request.headers['if-none-match']),
    stopRun: async ({ params, query }) => {
      const { by, how } = parseQuery(inputs.stopQuery, query);
      return stopRun(runs, issueIn(params), by, how);
    },
    listRuns: async ({ query }) => {
      const { limit, ...wanted } = parseQuery(inputs.runsQuery, query);
      return fromRedis(() => listRuns(runs, { ...wanted, limit: Number(limit) }));
    },
    lookupRun: async ({ request, query }) => {
      const { repo, issue } = parseQuery(inputs.lookupQuery, query);
      return showRun(runs, issueOf(`${repo}#${issue}`), request.headers['if-none-match']);
    },
    events: async ({ request, response, query }) => {
      const { since, limit, ...filter } = parseQuery(inputs.eventsQuery, query);
      if (wantsPage(request)) return fromRedis(() => eventPage(events, since ?? FIRST, Number(limit), filter));
      const last = request.headers['last-event-id'];
      const from = typeof last === 'string' && last !== '' ? last : (since ?? null);
      // Checked before the stream begins, because there can be no error answer after that.
      await fromRedis(() => events.since(from ?? FIRST, 1));
      await streams.serve(request, response, { since: from, shows: (one) => shows(filter, one) });
      return 'streamed';
    },
    getKillSwitch: () => fromRedis(() => showKillSwitch(account)),
    setKillSwitch: async ({ request }) => {
      const { on, why, by } = parseBody(inputs.killSwitchBody, await readBody(request));
      await fromRedis(() => account.setKillSwitch(on, nameOf(by), why ?? (on ? 'no reason given' : 'resumed')));
      return fromRedis(() => showKillSwitch(account));
    },
    getAccount: () => fromRedis(() => showAccount(account)),
    clearAccount: async ({ request }) => {
      const { by } = parseBody(inputs.clearBody, await readBody(request));
      await fromRedis(() => account.clear(nameOf(by)));
      return fromRedis(() => showAccount(account));
    },
    openApi: async () => ({ status: 200, body: openApi() }),
  };
}

/** A page is sent only to clients that accept JSON and not a stream. */
function wantsPage({ headers }: IncomingMessage): boolean {
  const accept = headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}

const issueIn = ({ owner = '', repo = '', number = '' }: Readonly<Record<string, string>>): IssueRef =>
  issueOf(`${owner}/${repo}#${number}`);

function issueOf(text: string): IssueRef {
  const issue = parseIssue(text);
  if (issue === null) throw noSuchIssue();
  return issue;
}

/** Turns a missing Redis into an API error. */
async function fromRedis<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(503, 'redis-unavailable', {
      message: 'Redis, where this is kept, does not answer.',
      remedy: 'Runs are safe on GitHub. Ask again when Redis is back; /readyz says when.',
      headers: { 'retry-after': '5' },
    });
  }
}

const notFound = (): ApiError =>
  new ApiError(404, 'not-found', {
    message: 'There is nothing here.',
    remedy: 'GET /api/openapi.json lists what there is.',
  });

const methodNotAllowed = (allow: readonly string[]): ApiError =>
  new ApiError(405, 'method-not-allowed', {
    message: `This is answered for ${allow.join(', ')} only.`,
    remedy: 'Use one of these methods.',
    headers: { allow: allow.join(', ') },
  });

const internalError = (): ApiError =>
  new ApiError(500, 'internal-error', {
    message: 'Something is wrong with this service.',
    remedy: 'Its log says what. Ask again; if it stays so, report it.',
  });
