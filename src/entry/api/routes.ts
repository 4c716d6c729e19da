import type { z } from 'zod';
import * as inputs from './inputs.js';
import * as outputs from './outputs.js';

/** One route. The table routes requests and generates the description. */
export interface Route {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** By status: its meaning and its body. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
}

export interface AnswerShape {
  readonly means: string;
  readonly body?: z.ZodType;
  /** Instead of JSON. */
  readonly stream?: z.ZodType;
}

const AUTO = '/api/repos/{owner}/{repo}/issues/{number}/auto';

const failed = (means: string): AnswerShape => ({ means, body: outputs.errorBody });
const ISSUE_404 = failed('There is no such issue, or Sluice does not drive it.');
const INVALID = failed('The request is not understood: all reasons at once.');
const REDIS_AWAY = failed('Redis, where this is kept, does not answer.');
const NOT_JSON = failed(
  'It is not declared as JSON: `Content-Type: application/json` is asked of every request that changes something.',
);
const BODY = {
  413: failed('The body is longer than 64 KiB.'),
  415: NOT_JSON,
};

export const ROUTES = [
  {
    operation: 'startRun',
    method: 'POST',
    path: AUTO,
    summary: 'Start driving an issue.',
    body: inputs.startBody,
    answers: {
      200: { means: 'With `dryRun`: what a run would go through. Nothing was started.', body: outputs.previewBody },
      201: { means: 'Started, and durable on GitHub. `Location` is where to look.', body: outputs.startedBody },
      404: failed('There is no such issue.'),
      409: failed(
        'It is being driven already; `Location` is where to look. Of requests at the same time exactly one is not told so.',
      ),
      ...BODY,
      422: failed('It cannot be started, or the request is not understood: all reasons at once.'),
    },
  },
  {
    operation: 'getRun',
    method: 'GET',
    path: AUTO,
    summary: 'How a run stands, read from GitHub.',
    answers: {
      200: { means: 'The run. `ETag` changes when anything does.', body: outputs.runBody },
      304: { means: 'As it was, by the `If-None-Match` of the request.' },
      404: ISSUE_404,
    },
  },
  {
    operation: 'stopRun',
    method: 'DELETE',
    path: AUTO,
    summary: 'Stop driving an issue. Work is kept; POST goes on from there.',
    query: inputs.stopQuery,
    answers: {
      202: {
        means: 'Stopping: effective within ten seconds, or after the phase for `pause`.',
        body: outputs.stoppingBody,
      },
      404: ISSUE_404,
      415: NOT_JSON,
      422: INVALID,
    },
  },
  {
    operation: 'listRuns',
    method: 'GET',
    path: '/api/runs',
    summary: 'Known runs, the latest first. A hint, kept in Redis: what it says may be old or missing.',
    query: inputs.runsQuery,
    answers: { 200: { means: 'A page of runs.', body: outputs.runsBody }, 422: INVALID, 503: REDIS_AWAY },
  },
  {
    operation: 'lookupRun',
    method: 'GET',
    path: '/api/runs/lookup',
    summary: 'The run of an issue, by repository and number.',
    query: inputs.lookupQuery,
    answers: {
      200: { means: 'The run; `Content-Location` is its own address.', body: outputs.runBody },
      304: { means: 'As it was, by the `If-None-Match` of the request.' },
      404: ISSUE_404,
      422: INVALID,
    },
  },
  {
    operation: 'events',
    method: 'GET',
    path: '/api/events',
    summary:
      'What happens, as server-sent events, until the client leaves. `Accept: application/json` asks for one page of what has happened instead.',
    query: inputs.eventsQuery,
    answers: {
      200: { means: 'Events, oldest first.', body: outputs.eventsBody, stream: outputs.streamBody },
      422: INVALID,
      503: failed('Redis does not answer, or as many listen as may.'),
    },
  },
  {
    operation: 'getKillSwitch',
    method: 'GET',
    path: '/api/kill-switch',
    summary: 'Whether nothing may start, on the whole service.',
    answers: {
      200: { means: 'Whether it is on, by whom and why.', body: outputs.killSwitchView },
      503: REDIS_AWAY,
    },
  },
  {
    operation: 'setKillSwitch',
    method: 'PUT',
    path: '/api/kill-switch',
    summary: 'Stop everything from starting, or let it start again. Phases that run go on.',
    body: inputs.killSwitchBody,
    answers: {
      200: { means: 'As it is now.', body: outputs.killSwitchView },
      ...BODY,
      422: INVALID,
      503: REDIS_AWAY,
    },
  },
  {
    operation: 'getAccount',
    method: 'GET',
    path: '/api/account',
    summary: 'How the account that pays for the model is, and what was spent today.',
    answers: { 200: { means: 'The account.', body: outputs.accountView }, 503: REDIS_AWAY },
  },
  {
    operation: 'clearAccount',
    method: 'POST',
    path: '/api/account/clear',
    summary: 'Say that the account is fine again: ends a pause before its time.',
    body: inputs.clearBody,
    answers: {
      200: { means: 'The account.', body: outputs.accountView },
      ...BODY,
      422: INVALID,
      503: REDIS_AWAY,
    },
  },
  {
    operation: 'openApi',
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description.',
    answers: { 200: { means: 'OpenAPI 3.1.' } },
  },
] as const satisfies readonly Route[];

export type Operation = (typeof ROUTES)[number]['operation'];

export type Found =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  /** The path exists, but not with this method. */
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

/** Finds the route of a request. */
export function findRoute(method: string, pathname: string): Found {
  const here = ROUTES.flatMap((route) => {
    const params = matchPath(route.path, pathname);
    return params === null ? [] : [{ ...route, params }];
  });
  if (here.length === 0) return { kind: 'not-found' };
  const route = here.find((one) => one.method === method);
  if (route === undefined) return { kind: 'method-not-allowed', allow: here.map((one) => one.method) };
  return { kind: 'found', operation: route.operation, params: route.params };
}

function matchPath(template: string, pathname: string): Record<string, string> | null {
  const [wanted, given] = [template.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) params[name] = text;
    else if (part !== text) return null;
  }
  return params;
}
