import type { ModelRequest } from '../protocol/model-request.js';
import type { Matcher } from './matcher.js';
import type { Turn } from './turn.js';

/** Makes up the answer from the request: to echo a nonce, or to react to a tool's result. */
export type TurnFunction = (request: ModelRequest) => Turn | Promise<Turn>;

/**
 * What the model does in one kind of conversation. A list of turns is played in order, once per conversation; when it has
 * come to its end, the next matching script answers. A function answers every request.
 */
export interface Script {
  /** For reports: which script answered. */
  readonly name: string;
  readonly when: Matcher;
  /** How many conversations it plays; without it, all. A conversation once begun is played to its end. */
  readonly times?: number;
  /**
   * Names to regular expressions. What the first group (or the whole) finds in the user's texts, newest first, or in the
   * system text, replaces `{{name}}` in the turns.
   */
  readonly capture?: Readonly<Record<string, string>>;
  readonly turns: readonly (Turn | TurnFunction)[] | TurnFunction;
}
