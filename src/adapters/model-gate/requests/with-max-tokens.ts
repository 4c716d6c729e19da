import type { JudgedRequest, NumberSpot } from '../judge/judge-body.js';

/** The minimum for thinking, and what must remain for the answer. */
const LEAST_THINKING = 1024;

/** The bytes of a request with lower `max_tokens`, in pieces, so that large parts are not copied. */
export function withMaxTokens(
  bytes: Buffer,
  { maxTokens, thinkingTokens }: Pick<JudgedRequest, 'maxTokens' | 'thinkingTokens'>,
  granted: number,
): readonly Buffer[] {
  if (maxTokens === null || granted >= maxTokens.value) return [bytes];
  // The API refuses a thinking budget above `max_tokens`.
  const thinking = Math.max(LEAST_THINKING, granted - LEAST_THINKING);
  const changes: [NumberSpot, number][] = [[maxTokens, granted]];
  if (thinkingTokens !== null && thinkingTokens.value > thinking) changes.push([thinkingTokens, thinking]);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [{ start, end }, value] of changes.toSorted(([a], [b]) => a.start - b.start)) {
    pieces.push(bytes.subarray(from, start), Buffer.from(String(value)));
    from = end;
  }
  return [...pieces, bytes.subarray(from)];
}
