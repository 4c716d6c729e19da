import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../ports/clock.js';
import { BODY_TIMEOUT_MS, type DoorPools, MAX_REFUSALS, MAX_REQUEST_BYTES, MEMORY_TIMEOUT_MS } from './door-limits.js';
import { type Exchange, forwardRequest, type Upstream } from './forward-request.js';
import type { Endpoint, JudgedRequest } from './judge/judge-body.js';
import type { BodyJudge } from './judge/judge-thread.js';
import type { ModelLedger } from './model-ledger.js';
import { readBody } from './read-body.js';
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
import type { RequestLine } from './request-line.js';
import { endpointOf } from './request-policy.js';
import type { Reservation, RunMoney } from './run-money.js';
import { carries, type ModelCredential } from './run-token.js';

/** One run's door to the model. */
export interface Door {
  /** What the run has to present. */
  readonly token: ModelCredential;
  readonly upstream: Upstream;
  readonly ledger: ModelLedger;
  readonly money: RunMoney;
  readonly line: RequestLine;
  readonly pools: DoorPools;
  readonly judge: BodyJudge;
  readonly clock: Clock;
  /** How often what the run asked for was not allowed. */
  readonly refusals: { times: number };
  /** Told when the model has answered. */
  readonly onAnswer: () => void;
  /** Told in a few words why a request was not passed on. */
  readonly onRefusal: (why: string) => void;
}

/** A request and who waits for its answer. */
interface Asking {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  readonly gone: AbortSignal;
}

/** Takes a request in, step by step, each of them bounded; passes it on only when all of it was looked at and is paid for. */
export async function takeRequest(incoming: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
  const gone = new AbortController();
  // An agent that went away pays for nothing more.
  response.once('close', () => void (response.writableFinished || gone.abort()));
  const refuse = (refusal: Refusal): void => {
    door.onRefusal(refusal.why);
    sendRefusal(response, refusal);
  };
  const endpoint = endpointOf(incoming.method, incoming.url);
  if (endpoint === null) return refuse(NOT_FOUND);
  const wrong = headRefusal(incoming, door);
  if (wrong !== null) return refuse(wrong);
  const turn = await door.line.enter(gone.signal);
  if (turn === 'full') return refuse(LINE_FULL);
  if (turn === 'gone') return;
  try {
    const refusal = await takeTurn({ incoming, response, endpoint, gone: gone.signal }, door);
    if (refusal !== null && !gone.signal.aborted) refuse(refusal);
  } finally {
    door.line.leave();
  }
}

function headRefusal({ headers }: IncomingMessage, { token, refusals }: Door): Refusal | null {
  if (!carries(headers, token)) return WRONG_TOKEN;
  if (refusals.times >= MAX_REFUSALS) return REFUSED_TOO_OFTEN;
  const length = headers['content-length'];
  if (length === undefined) return NO_LENGTH;
  return Number(length) > MAX_REQUEST_BYTES ? TOO_LARGE : null;
}

/** Holds no more of the body than the pool gives, and gives it back as soon as the API has it. */
async function takeTurn(asking: Asking, door: Door): Promise<Refusal | null> {
  const length = Number(asking.incoming.headers['content-length']);
  if (!(await takeMemory(asking, length, door))) return NO_MEMORY;
  const memory = { isHeld: true };
  const giveBack = (): void => {
    if (memory.isHeld) door.pools.bytes.give(door, length);
    memory.isHeld = false;
  };
  try {
    return await passOn(asking, length, door, giveBack);
  } finally {
    giveBack();
  }
}

async function takeMemory({ gone }: Asking, length: number, door: Door): Promise<boolean> {
  const { clock, pools } = door;
  const late = new AbortController();
  const cancel = clock.at(clock.now() + MEMORY_TIMEOUT_MS, () => late.abort());
  try {
    return await pools.bytes.take(door, length, AbortSignal.any([gone, late.signal]));
  } finally {
    cancel();
  }
}

async function passOn(
  { incoming, response, endpoint, gone }: Asking,
  length: number,
  door: Door,
  giveBack: () => void,
): Promise<Refusal | null> {
  const { clock, ledger, money, judge } = door;
  const read = await readBody(incoming, { length, clock, timeoutMs: BODY_TIMEOUT_MS });
  if (read.kind !== 'whole') return LATE;
  const overBudget = (why: string): Refusal => {
    ledger.found({ kind: 'over-budget', why });
    return { status: 402, type: 'billing_error', why };
  };
  const spent = money.spent();
  if (spent !== null) return overBudget(spent);
  const judged = await judge.judge(read.bytes, endpoint);
  if (judged.kind === 'lost') return NOT_JUDGED;
  const { verdict, bytes } = judged;
  if (verdict.kind === 'refused') {
    door.refusals.times += 1;
    return { status: 400, type: 'invalid_request_error', why: verdict.why };
  }
  const reservation = await pay(verdict.request, door, gone);
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
  await forwardRequest(exchange, door);
  return null;
}

/** A count of tokens costs nothing. */
async function pay({ model, input, maxTokens }: JudgedRequest, door: Door, gone: AbortSignal): Promise<Reservation> {
  if (maxTokens === null) return { kind: 'reserved', maxTokens: 0, request: door.ledger.open(0) };
  return door.money.reserve({ model, input, maxTokens: maxTokens.value }, gone);
}
