import { apiError, statusOf } from '../protocol/errors.js';
import { encodeEvent, toEvents } from './stream-events.js';
import type { WireMessage } from './wire-message.js';
import type { Delivery } from '../script/turn.js';
import type { Connection } from './connection.js';
import { splitAt } from './split.js';

/** How the answer ended: as a whole, or broken by us on purpose. */
export type Ending = 'complete' | 'cut' | 'reset';

export interface Outgoing {
  readonly message: WireMessage;
  readonly stream: boolean;
  readonly requestId: string;
}

/** Sends an answer the way its turn says. The part before the first wait runs at once. */
export async function deliver(connection: Connection, outgoing: Outgoing, delivery: Delivery): Promise<Ending> {
  if (delivery.kind === 'reset') return breakOff(connection, 'reset');
  if (delivery.kind === 'drip') return sendDripping(connection, outgoing, delivery.everyMs);
  if (delivery.kind === 'hang') await connection.holdUntil(connection.timeAfter(delivery.forMs));
  if (delivery.kind === 'hang' || delivery.kind === 'whole') return sendWhole(connection, outgoing);
  return sendBroken(connection, outgoing, delivery);
}

function breakOff(connection: Connection, ending: 'cut' | 'reset'): Ending {
  connection[ending]();
  return ending;
}

async function sendWhole(connection: Connection, outgoing: Outgoing): Promise<Ending> {
  open(connection, outgoing);
  await connection.send(Buffer.concat(chunksOf(outgoing)));
  connection.end();
  return 'complete';
}

async function sendDripping(connection: Connection, outgoing: Outgoing, everyMs: number): Promise<Ending> {
  const due = chunksOf(outgoing).map((chunk, index) => ({ chunk, time: connection.timeAfter(everyMs * (index + 1)) }));
  open(connection, outgoing);
  for (const { chunk, time } of due) {
    await connection.holdUntil(time);
    await connection.send(chunk);
  }
  connection.end();
  return 'complete';
}

type Broken = Extract<Delivery, { kind: 'cut' | 'stall' | 'malformed' | 'error-event' }>;

async function sendBroken(connection: Connection, outgoing: Outgoing, delivery: Broken): Promise<Ending> {
  if (delivery.kind === 'error-event' && !outgoing.stream) return sendError(connection, outgoing, delivery);
  // Time counts from here, so that a test may move the clock as soon as it has seen the first part.
  const resumeAt = connection.timeAfter(delivery.kind === 'stall' ? delivery.forMs : 0);
  const [head, tail] = splitAt(chunksOf(outgoing), delivery.at);
  open(connection, outgoing);
  await connection.send(head);
  if (delivery.kind === 'cut') return breakOff(connection, 'cut');
  if (delivery.kind === 'stall') {
    await connection.holdUntil(resumeAt);
    await connection.send(tail);
  } else {
    await connection.send(Buffer.from(brokenTail(outgoing, delivery)));
  }
  connection.end();
  return 'complete';
}

/** Sends malformed data instead of the rest. Without streaming, half a body is already malformed. */
function brokenTail(outgoing: Outgoing, delivery: Extract<Broken, { kind: 'malformed' | 'error-event' }>): string {
  if (delivery.kind === 'error-event') return encodeEvent(errorOf(outgoing, delivery));
  return outgoing.stream ? 'event: content_block_delta\ndata: {"type":"content_b\n\n' : '';
}

type ErrorEvent = Extract<Delivery, { kind: 'error-event' }>;

const errorOf = ({ requestId }: Outgoing, delivery: ErrorEvent) => ({
  ...apiError(statusOf(delivery.errorType), requestId, delivery.message),
});

async function sendError(connection: Connection, outgoing: Outgoing, delivery: ErrorEvent): Promise<Ending> {
  connection.open(statusOf(delivery.errorType), {
    'content-type': 'application/json',
    'request-id': outgoing.requestId,
  });
  await connection.send(Buffer.from(JSON.stringify(errorOf(outgoing, delivery))));
  connection.end();
  return 'complete';
}

function open(connection: Connection, { stream, requestId }: Outgoing): void {
  const type = stream ? 'text/event-stream; charset=utf-8' : 'application/json';
  connection.open(200, { 'content-type': type, 'cache-control': 'no-cache', 'request-id': requestId });
}

function chunksOf({ message, stream }: Outgoing): Buffer[] {
  const texts = stream ? toEvents(message).map(encodeEvent) : [JSON.stringify(message)];
  return texts.map((text) => Buffer.from(text));
}
