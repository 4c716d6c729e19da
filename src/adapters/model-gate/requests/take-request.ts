import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../ports/clock.js';
import { readBody } from '../../../streams/read-body.js';
import { BODY_TIMEOUT_MS, type GatePools, MAX_REFUSALS, MAX_REQUEST_BYTES, MEMORY_TIMEOUT_MS } from './gate-limits.js';
import { type Exchange, forwardRequest, type Upstream } from './forward-request.js';
import type { Endpoint, JudgedRequest } from '../judge/judge-body.js';
import type { BodyJudge } from '../judge/judge-thread.js';
import type { ModelLedger } from '../usage/model-ledger.js';
import {
  LATE,
  LINE_FULL,
  NO_LENGTH,
  NO_MEMORY,
  NOT_FOUND,
  NOT_JUDGED,
  REFUSED_TOO_OFTEN,
  type Refusal,
  sendRefusal,
  TOO_LARGE,
  WRONG_TOKEN,
} from './refusal.js';
import type { RequestQueue } from './request-queue.js';
import { endpointOf } from './endpoint.js';
import type { Reservation, RunMoney } from '../usage/run-money.js';
import { carries, type ModelCredential } from '../run-token.js';

/** One run's access to the model. */
export interface RunGate {
  /** The token the run must present. */
  readonly token: ModelCredential;
  readonly upstream: Upstream;
  readonly ledger: ModelLedger;
  readonly money: RunMoney;
  readonly line: RequestQueue;
  readonly pools: GatePools;
  readonly judge: BodyJudge;
  readonly clock: Clock;
  /** How many requests of the run were refused. */
  readonly refusals: { times: number };
  /** Called when the model has answered. */
  readonly onAnswer: () => void;
  /** Called with a short reason when a request is not forwarded. */
  readonly onRefusal: (why: string) => void;
}

/** A request and its response. */
interface IncomingRequest {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  readonly gone: AbortSignal;
}

/** Receives a request in bounded steps, and forwards it only when all of it was checked and paid for. */
export async function takeRequest(incoming: IncomingMessage, response: ServerResponse, gate: RunGate): Promise<void> {
  const gone = new AbortController();
  // A request whose client is gone is aborted.
  response.once('close', () => void (response.writableFinished || gone.abort()));
  const refuse = (refusal: Refusal): void => {
    gate.onRefusal(refusal.why);
    sendRefusal(response, refusal);
  };
  const endpoint = endpointOf(incoming.method, incoming.url);
  if (endpoint === null) return refuse(NOT_FOUND);
  const wrong = headRefusal(incoming, gate);
  if (wrong !== null) return refuse(wrong);
  const turn = await gate.line.enter(gone.signal);
  if (turn === 'full') return refuse(LINE_FULL);
  if (turn === 'gone') return;
  try {
    const refusal = await takeTurn({ incoming, response, endpoint, gone: gone.signal }, gate);
    if (refusal !== null && !gone.signal.aborted) refuse(refusal);
  } finally {
    gate.line.leave();
  }
}

function headRefusal({ headers }: IncomingMessage, { token, refusals }: RunGate): Refusal | null {
  if (!carries(headers, token)) return WRONG_TOKEN;
  if (refusals.times >= MAX_REFUSALS) return REFUSED_TOO_OFTEN;
  const length = headers['content-length'];
  if (length === undefined) return NO_LENGTH;
  return Number(length) > MAX_REQUEST_BYTES ? TOO_LARGE : null;
}

/** Holds only as much of the body as the pool grants, and releases it once the API has it. */
async function takeTurn(request: IncomingRequest, gate: RunGate): Promise<Refusal | null> {
  const length = Number(request.incoming.headers['content-length']);
  if (!(await takeMemory(request, length, gate))) return NO_MEMORY;
  const memory = { isHeld: true };
  const giveBack = (): void => {
    if (memory.isHeld) gate.pools.bytes.give(gate, length);
    memory.isHeld = false;
  };
  try {
    return await passOn(request, length, gate, giveBack);
  } finally {
    giveBack();
  }
}

async function takeMemory({ gone }: IncomingRequest, length: number, gate: RunGate): Promise<boolean> {
  const { clock, pools } = gate;
  const late = new AbortController();
  const cancel = clock.at(clock.now() + MEMORY_TIMEOUT_MS, () => late.abort());
  try {
    return await pools.bytes.take(gate, length, AbortSignal.any([gone, late.signal]));
  } finally {
    cancel();
  }
}

async function passOn(
  { incoming, response, endpoint, gone }: IncomingRequest,
  length: number,
  gate: RunGate,
  giveBack: () => void,
): Promise<Refusal | null> {
  const { clock, ledger, money, judge } = gate;
  const body = await readBody(incoming, {
    maxBytes: MAX_REQUEST_BYTES,
    deadline: { clock, ms: BODY_TIMEOUT_MS },
    ownMemory: { length },
  });
  if (typeof body === 'string') return LATE;
  const overBudget = (why: string): Refusal => {
    ledger.found({ kind: 'over-budget', why });
    return { status: 402, type: 'billing_error', why };
  };
  const spent = money.spent();
  if (spent !== null) return overBudget(spent);
  const judged = await judge.judge(body, endpoint);
  if (judged.kind === 'lost') return NOT_JUDGED;
  const { verdict, bytes } = judged;
  if (verdict.kind === 'refused') {
    gate.refusals.times += 1;
    return { status: 400, type: 'invalid_request_error', why: verdict.why };
  }
  const reservation = await pay(verdict.request, gate, gone);
  if (reservation.kind === 'spent') return overBudget(reservation.why);
  if (reservation.kind === 'gone') return null;
  const exchange: Exchange = {
    incoming,
    response,
    gone,
    judged: verdict.request,
    body: { bytes, giveBack },
    maxTokens: reservation.maxTokens,
    request: reservation.request,
  };
  await forwardRequest(exchange, gate);
  return null;
}

/** Reserves money for a request. Counting tokens is free. */
async function pay({ model, input, maxTokens }: JudgedRequest, gate: RunGate, gone: AbortSignal): Promise<Reservation> {
  if (maxTokens === null) return { kind: 'reserved', maxTokens: 0, request: gate.ledger.open(0) };
  return gate.money.reserve({ model, input, maxTokens: maxTokens.value }, gone);
}
