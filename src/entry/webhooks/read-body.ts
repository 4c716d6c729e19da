import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../ports/clock.js';
import { type NoBody, readBody as readBounded } from '../../streams/read-body.js';
import type { BodyBudget } from './body-budget.js';

export interface BodyReading {
  readonly maxBytes: number;
  readonly budget: BodyBudget;
  readonly clock: Clock;
}

export type { NoBody };

/** GitHub gives up after ten seconds, so slower bodies are dropped. */
const BODY_MS = 10_000;

/** Reads the bytes of a delivery within the budget for all bodies. */
export function readBody(request: IncomingMessage, { maxBytes, budget, clock }: BodyReading): Promise<Buffer | NoBody> {
  return readBounded(request, {
    maxBytes,
    deadline: { clock, ms: BODY_MS },
    share: (cut) => budget.begin(request.socket.remoteAddress ?? '', cut),
  });
}
