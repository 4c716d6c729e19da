import { afterEach } from '@jest/globals';
import { ManualClock } from '../../../pocket-github/src/clock/manual-clock.js';
import type { Script } from '../../src/script/script.js';
import type { Turn } from '../../src/script/turn.js';
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from '../../src/scripted-model.js';

export interface TestModel extends ScriptedModel {
  readonly clock: ManualClock;
}

type StartModel = (scripts: readonly Script[], options?: Partial<ScriptedModelOptions>) => Promise<TestModel>;

/** Starts models that are closed after each test of the file that calls this. */
export function modelStarter(): StartModel {
  const started: ScriptedModel[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((model) => model.close()));
  });
  return async (scripts, options = {}) => {
    const clock = new ManualClock();
    const model = await startScriptedModel({ clock, scripts, ...options });
    started.push(model);
    return { ...model, clock };
  };
}

/** A script that answers everything with these turns. */
export const always = (...turns: Turn[]): Script => ({ name: 'always', when: {}, turns });

export interface Ask {
  readonly body?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** A request as a plain HTTP client sends it; `body` overrides the usual fields. */
export async function ask(
  model: ScriptedModel,
  { body = {}, headers = {}, path, signal }: Ask = {},
): Promise<Response> {
  const usual = { model: 'claude-opus-5-5', max_tokens: 1000, messages: [{ role: 'user', content: 'Hello' }] };
  return fetch(`${model.url}${path ?? '/v1/messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify({ ...usual, ...body }),
    signal: signal ?? null,
  });
}

export const stream = (model: ScriptedModel, options: Ask = {}): Promise<Response> =>
  ask(model, { ...options, body: { stream: true, ...options.body } });

export interface ReceivedEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of a stream one by one, as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<ReceivedEvent> {
  if (response.body === null) throw new Error('The response has no body.');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = `${text}${chunk}`.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      yield { name, data };
    }
  }
}

export async function allEvents(response: Response): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}
