import type { WatchEvent } from '../../domain/agent/supervision.js';
import { hashOf, RESULT_TOOL, type StreamEvent, type StreamResult } from './stream-event.js';

/** What is known from the CLI's stream so far. */
export interface StreamState {
  readonly sessionId: string | null;
  readonly model: string | null;
  /** Answers of the model: several events may belong to one. */
  readonly messages: number;
  readonly lastMessageId: string | null;
  /** The kind of the last message that stands for a failed request: `rate_limit`, `billing_error`, … */
  readonly apiErrorKind: string | null;
  /** Set when a usage limit was hit: when it resets, in seconds since the epoch, where that is known. */
  readonly limitHit: { readonly resetsAt: number | null } | null;
  readonly result: StreamResult | null;
  /** Lines that were no events. */
  readonly unreadable: number;
}

export const STREAM_START: StreamState = {
  sessionId: null,
  model: null,
  messages: 0,
  lastMessageId: null,
  apiErrorKind: null,
  limitHit: null,
  result: null,
  unreadable: 0,
};

/** Applies one line of `--output-format stream-json`. A malformed line only raises `unreadable`. */
export function withStreamEvent(state: StreamState, event: StreamEvent | null): StreamState {
  switch (event?.kind) {
    case undefined:
      return { ...state, unreadable: state.unreadable + 1 };
    case 'init':
      return { ...state, sessionId: event.sessionId ?? state.sessionId, model: event.model ?? state.model };
    case 'message': {
      if (event.id === state.lastMessageId) return state;
      return { ...state, messages: state.messages + 1, lastMessageId: event.id, model: event.model ?? state.model };
    }
    case 'api-error':
      return { ...state, apiErrorKind: event.error ?? state.apiErrorKind };
    case 'limit-hit':
      return { ...state, limitHit: { resetsAt: event.resetsAt ?? state.limitHit?.resetsAt ?? null } };
    case 'result': {
      // A later turn, started by a leftover task, does not replace a result already given.
      const isGiven = state.result?.structuredOutput !== undefined && event.result.structuredOutput === undefined;
      return isGiven ? state : { ...state, result: event.result };
    }
    case 'tool-results':
    case 'retry':
    case 'compacted':
    case 'stir':
      return state;
  }
}

/** The supervision events for a stream event. */
export function watchEventsOf(event: StreamEvent): readonly WatchEvent[] {
  switch (event.kind) {
    case 'init':
    case 'compacted':
    case 'result':
    case 'stir':
      return [{ kind: event.kind }];
    case 'api-error':
    case 'limit-hit':
      return [{ kind: 'stir' }];
    case 'retry':
      return [{ kind: 'retry', delayMs: event.delayMs }];
    case 'tool-results':
      return event.results.map(({ tool, hasChangedFiles }) => ({ kind: 'tool-end', tool, hasChangedFiles }));
    case 'message': {
      const { id, parts, windowTokens } = event;
      const tools = parts.filter((part) => part.kind === 'tool');
      return [
        { kind: 'message', id, hash: hashOf(parts), windowTokens },
        ...tools.map((tool) => ({
          kind: 'tool-start' as const,
          tool: tool.id,
          isResult: tool.name === RESULT_TOOL,
        })),
      ];
    }
  }
}
