import { describeRequest, type ModelRequest } from '../protocol/model-request.js';
import { captureFrom, fill } from './capture.js';
import { matches } from './matcher.js';
import type { Script, TurnFunction } from './script.js';
import { type Turn, timesOf } from './turn.js';

/** The turn that answers a request, or why there is none. */
export type Choice = { readonly script: string; readonly turn: Turn } | { readonly because: string };

interface Cursor {
  readonly index: number;
  readonly played: number;
}

/** Chooses answers and remembers how far each script has been played in each conversation. */
export class Playbook {
  readonly #scripts: readonly Script[];
  readonly #cursors = new Map<Script, Map<string, Cursor>>();

  constructor(scripts: readonly Script[]) {
    this.#scripts = scripts;
  }

  async choose(request: ModelRequest): Promise<Choice> {
    try {
      return await this.#choose(request);
    } catch (error) {
      // Scripts may be code: theirs is not allowed to take the server down.
      return { because: `A script threw on this request: ${describeRequest(request)}. ${String(error)}` };
    }
  }

  async #choose(request: ModelRequest): Promise<Choice> {
    const finished: string[] = [];
    for (const script of this.#scripts.filter((candidate) => matches(candidate.when, request))) {
      // The turn is taken before anything is awaited, so that two requests at once never get the same one.
      const step = this.#take(script, conversationOf(request));
      if (step !== undefined) return perform(script, step, request);
      finished.push(script.name);
    }
    const spent = finished.length === 0 ? '' : ` Matching scripts with no turn left: ${finished.join(', ')}.`;
    return { because: `No script answers this request: ${describeRequest(request)}.${spent}` };
  }

  #take(script: Script, conversation: string): Turn | TurnFunction | undefined {
    const cursors = this.#cursors.get(script) ?? new Map<string, Cursor>();
    this.#cursors.set(script, cursors);
    if (!cursors.has(conversation) && cursors.size >= (script.times ?? Number.POSITIVE_INFINITY)) return undefined;
    const { index, played } = cursors.get(conversation) ?? { index: 0, played: 0 };
    if (typeof script.turns === 'function') {
      cursors.set(conversation, { index, played: played + 1 });
      return script.turns;
    }
    const step = script.turns[index];
    if (step === undefined) return undefined;
    const times = typeof step === 'function' ? 1 : timesOf(step, index === script.turns.length - 1);
    cursors.set(conversation, played + 1 < times ? { index, played: played + 1 } : { index: index + 1, played: 0 });
    return step;
  }
}

/** A session may have several conversations (subagents), distinguished by their first prompt. */
function conversationOf(request: ModelRequest): string {
  return `${request.sessionId ?? ''}\n${request.prompt}`;
}

async function perform(script: Script, step: Turn | TurnFunction, request: ModelRequest): Promise<Choice> {
  const captured = captureFrom(request, script.capture ?? {});
  if ('missing' in captured) {
    const pattern = script.capture?.[captured.missing] ?? '';
    return {
      because: `Script "${script.name}" captures ${captured.missing} by /${pattern}/, which is not in this request: ${describeRequest(request)}.`,
    };
  }
  const turn = typeof step === 'function' ? await step(request) : step;
  return { script: script.name, turn: fill(turn, captured.values) };
}
