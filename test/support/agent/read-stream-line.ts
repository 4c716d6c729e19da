import { parseStreamLine } from '../../../src/adapters/agent/stream-event.js';
import { type StreamState, withStreamEvent } from '../../../src/adapters/agent/stream-state.js';

/** Takes in one line of `--output-format stream-json`, as a step's watch does. A line that makes no sense changes nothing else. */
export function readStreamLine(state: StreamState, line: string): StreamState {
  return line === '' ? state : withStreamEvent(state, parseStreamLine(line));
}
