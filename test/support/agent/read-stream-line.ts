import { parseStreamLine } from '../../../src/adapters/agent/stream-event.js';
import { type StreamState, withStreamEvent } from '../../../src/adapters/agent/stream-state.js';

/** Applies one line of `--output-format stream-json`, as the step watch does. A malformed line only raises `unreadable`. */
export function readStreamLine(state: StreamState, line: string): StreamState {
  return line === '' ? state : withStreamEvent(state, parseStreamLine(line));
}
