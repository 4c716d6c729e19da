import type { StreamPoint } from '../script/turn.js';

/** Divides an answer at a point. At least the last event, or byte, is always in the second part. */
export function splitAt(chunks: readonly Buffer[], point: StreamPoint): [Buffer, Buffer] {
  const whole = Buffer.concat(chunks);
  const at = Math.min(positionOf(chunks, point, whole.length), whole.length - 1);
  return [whole.subarray(0, at), whole.subarray(at)];
}

function positionOf(chunks: readonly Buffer[], point: StreamPoint, total: number): number {
  if ('afterBytes' in point) return point.afterBytes;
  // A body that is not streamed has no events to count: half of it.
  if (chunks.length === 1) return Math.floor(total / 2);
  return Buffer.concat(chunks.slice(0, Math.min(point.afterEvents, chunks.length - 1))).length;
}
