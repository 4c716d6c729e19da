import type { IssueState } from './state.js';
import { cutToBytes, jsonBytes } from '../sanitise/json-bytes.js';

/* Limits for everything in a state, in items and bytes, because parts come from models, strangers, CI and other Apps. */

/** A state file is at most this long. */
export const MAX_STATE_BYTES = 256 * 1024;

/** Room for signature, nonce and the spaces that make it readable. */
const ROOM = 32 * 1024;

/** Limits of a text, of the authorised issue body, and of the entries of a list. */
interface Level {
  readonly text: number;
  readonly body: number;
  readonly list: number;
}

/** The first level with which everything fits is used. */
const LEVELS: readonly Level[] = [
  ...[8_000, 4_000, 2_000, 1_000, 500, 250].map((text) => ({ text, body: 80_000, list: 100 })),
  { text: 250, body: 40_000, list: 50 },
  { text: 120, body: 10_000, list: 30 },
];

/** Limits of lists for the next agent. The last entry counts what is left out. */
const MOST_LISTED: Readonly<Record<string, number>> = { items: 20, feedback: 20, openErrors: 15, decisions: 15 };
/** Lists of which the newest entries are kept. */
const NEWEST: ReadonlySet<string> = new Set(['handledReviews', 'reviews', 'uncounted']);

/**
 * The same state, short enough to be stored. Commands and names are never cut, because that would change them. They are bounded where
 * they come in. A second pass changes nothing.
 */
export function boundState(state: IssueState): IssueState {
  for (const level of LEVELS) {
    const shortened = boundValue(state, level, '') as IssueState;
    if (jsonBytes(shortened) <= MAX_STATE_BYTES - ROOM) return shortened;
  }
  throw new Error('a state is too long to be kept, however much is left out of its texts');
}

/** Members whose texts are never cut. */
const WHOLE = new Set(['options', 'lease']);

function boundValue(value: unknown, level: Level, name: string): unknown {
  if (typeof value === 'string') return cutToBytes(value, name === 'body' ? level.body : level.text);
  if (Array.isArray(value)) return boundList(value, level.list, name).map((one) => boundValue(one, level, name));
  if (value === null || typeof value !== 'object' || WHOLE.has(name) || isCommand(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, boundValue(one, level, key)]));
}

/** How a criterion is checked. */
const isCommand = (value: object): boolean => 'kind' in value && ('run' in value || 'path' in value);

function boundList(list: readonly unknown[], most: number, name: string): readonly unknown[] {
  const listed = MOST_LISTED[name];
  if (listed !== undefined)
    return list.length <= listed ? list : [...list.slice(0, listed - 1), `… and ${list.length - listed + 1} more`];
  if (list.length <= most) return list;
  if (name === 'transitions') return [list[0], ...list.slice(1 - most)];
  return NEWEST.has(name) ? list.slice(-most) : list.slice(0, most);
}
