import type { JudgedRequest, NumberSpot } from '../judge/judge-body.js';

/** What thinking needs at least, and what it must leave for the answer. */
const LEAST_THINKING = 1024;

/** The bytes of a request with fewer `max_tokens`, in pieces; the large ones are not copied. */
export function withMaxTokens(
  bytes: Buffer,
  { maxTokens, thinkingTokens }: Pick<JudgedRequest, 'maxTokens' | 'thinkingTokens'>,
  granted: number,
): readonly Buffer[] {
  if (maxTokens === null || granted >= maxTokens.value) return [bytes];
  // The API refuses a request that wants to think more than it may say.
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
