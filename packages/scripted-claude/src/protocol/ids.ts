import { createHash } from 'node:crypto';

/** What an id is for: a message, a tool call, a request. */
type IdPrefix = 'msg' | 'toolu' | 'req';

export type IdSource = (prefix: IdPrefix) => string;

/** Ids that look like Anthropic's and are the same on every run with the same seed. */
export function createIds(seed: string): IdSource {
  const counts = new Map<IdPrefix, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}_${createHash('sha256').update(`${seed}:${prefix}:${count}`).digest('hex').slice(0, 24)}`;
  };
}
