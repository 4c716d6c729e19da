import { describe, expect, test } from '@jest/globals';
import { bash, say, structured } from '../src/script/say.js';
import type { Script } from '../src/script/script.js';
import type { ScriptedModel } from '../src/scripted-model.js';
import { ask, modelStarter } from './support/test-model.js';

const startModel = modelStarter();

const prompt = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const skill = (name: string, args: string) => ({
  role: 'user',
  content: [
    { type: 'text', text: '<system-reminder>Read me.</system-reminder>' },
    {
      type: 'text',
      text: `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>\n`,
    },
    { type: 'text', text: `Base directory for this skill: /plugin\n\nWork on ${args}. Nonce: n-123\n` },
  ],
});
const call = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }],
};
const result = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a.txt' }], is_error: true },
  ],
};

interface Send {
  readonly messages: readonly unknown[];
  readonly session?: string;
  readonly body?: Record<string, unknown>;
}

/** Sends a conversation and returns the text that is answered, or the error's text. */
async function textOf(model: ScriptedModel, { messages, session = 's1', body = {} }: Send): Promise<string> {
  const response = await ask(model, { body: { messages, ...body }, headers: { 'x-claude-code-session-id': session } });
  const answer = (await response.json()) as { content?: { text?: string }[]; error?: { message: string } };
  return answer.error?.message ?? answer.content?.map((block) => block.text ?? JSON.stringify(block)).join('') ?? '';
}

const saying = (name: string, when: Script['when']): Script => ({ name, when, turns: () => say(name) });

describe('the script is chosen by', () => {
  test.each<[string, Script['when'], Send]>([
    ['skill', { skill: 'sluice:code' }, { messages: [skill('sluice:code', 'acme/web#42')] }],
    ['issue number', { issue: 42 }, { messages: [skill('sluice:code', '42 --light')] }],
    ['qualified issue', { issue: 'acme/web#42' }, { messages: [skill('sluice:code', 'Acme/Web#42')] }],
    ['issue in a plain prompt', { issue: 7 }, { messages: [prompt('Fix https://github.com/acme/web/issues/7 now')] }],
    ['turn', { turn: 1 }, { messages: [prompt('Hi'), call, result] }],
    ['prompt', { promptIncludes: ['Hi', 'there'] }, { messages: [prompt('Hi you there'), call, prompt('x')] }],
    ['latest text', { latestIncludes: 'go on' }, { messages: [prompt('Hi'), call, result, prompt('Please go on')] }],
    ['model', { model: 'claude-haiku-4-5' }, { messages: [prompt('Hi')], body: { model: 'claude-haiku-4-5' } }],
    ['tool', { tool: 'Grep' }, { messages: [prompt('Hi')], body: { tools: [{ name: 'Grep', input_schema: {} }] } }],
    ['mode', { stream: false }, { messages: [prompt('Hi')] }],
    [
      'predicate',
      { predicate: ({ toolResults }) => toolResults[0]?.isError === true },
      { messages: [prompt('Hi'), call, result] },
    ],
  ])('%s', async (_name, when, send) => {
    const never: Script['when'] = { ...when, promptIncludes: 'not there' };
    const model = await startModel([saying('never', never), saying('chosen', when), saying('rest', {})]);
    expect(await textOf(model, send)).toBe('chosen');
    expect(await textOf(model, { messages: [prompt('Something else')], body: { stream: undefined, model: 'm' } })).toBe(
      when.stream === false ? 'chosen' : 'rest',
    );
  });
});

describe('a list of turns', () => {
  const script: Script = { name: 'two', when: {}, turns: [bash('ls'), say('Done.')] };

  test('is played once in each conversation, then the next script answers', async () => {
    const model = await startModel([script, saying('later', {})]);
    const ask = (session: string, text = 'Hi') => textOf(model, { messages: [prompt(text)], session });
    expect(await ask('s1')).toContain('"command":"ls"');
    expect(await ask('s2')).toContain('"command":"ls"');
    expect(await ask('s1')).toBe('Done.');
    expect(await ask('s1')).toBe('later');
    expect(await ask('s1', 'A subagent in the same session')).toContain('"command":"ls"');
  });

  test('that is over and has no successor fails by name', async () => {
    const model = await startModel([{ ...script, turns: [say('Done.')] }]);
    await textOf(model, { messages: [prompt('Hi')] });
    expect(await textOf(model, { messages: [prompt('Hi')] })).toContain('Matching scripts with no turn left: two.');
  });

  test('with times plays that many conversations, each to its end', async () => {
    const model = await startModel([{ ...script, times: 1 }, saying('later', {})]);
    expect(await textOf(model, { messages: [prompt('Hi')], session: 's1' })).toContain('ls');
    expect(await textOf(model, { messages: [prompt('Hi')], session: 's2' })).toBe('later');
    expect(await textOf(model, { messages: [prompt('Hi')], session: 's1' })).toBe('Done.');
  });

  test('may hold functions that answer from what the request says', async () => {
    const model = await startModel([
      {
        name: 'echo',
        when: {},
        turns: [bash('ls'), async ({ toolResults }) => say(`The ${toolResults[0]?.tool} said ${toolResults[0]?.text}`)],
      },
    ]);
    await textOf(model, { messages: [prompt('Hi')] });
    expect(await textOf(model, { messages: [prompt('Hi'), call, result] })).toBe('The Bash said a.txt');
  });
});

describe('a capture', () => {
  const script: Script = {
    name: 'nonce',
    when: {},
    capture: { nonce: 'Nonce: (\\S+)' },
    turns: [structured({ nonce: '{{nonce}}', list: ['x{{nonce}}', '{{other}}'], n: 1 })],
  };

  test('puts what the request says into the turns', async () => {
    const model = await startModel([script]);
    const messages = [skill('sluice:code', '1')];
    expect(await textOf(model, { messages })).toContain('{"nonce":"n-123","list":["xn-123","{{other}}"],"n":1}');
  });

  test('that finds nothing is reported', async () => {
    const model = await startModel([script]);
    expect(await textOf(model, { messages: [prompt('No such thing')] })).toContain('captures nonce by /Nonce: (\\S+)/');
    expect(() => model.requests.assertAllMatched()).toThrow('captures nonce');
  });
});

describe('a request no script answers', () => {
  test('gets a 500 that names it, says not to retry, and fails the check', async () => {
    const model = await startModel([saying('other', { skill: 'sluice:spec' })]);
    const response = await ask(model, { body: { messages: [skill('sluice:code', 'acme/web#42')] } });
    expect(response.status).toBe(500);
    expect(response.headers.get('x-should-retry')).toBe('false');
    const { error } = (await response.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe('api_error');
    expect(error.message).toContain(
      'skill sluice:code "acme/web#42", issue acme/web#42, turn 0, model claude-opus-5-5',
    );
    expect(() => model.requests.assertAllMatched()).toThrow(error.message);
  });

  test('is also what a script that throws leaves behind', async () => {
    const broken = (): never => {
      throw new Error('script bug');
    };
    const model = await startModel([
      { name: 'bad turn', when: { promptIncludes: 'turn' }, turns: broken },
      { name: 'bad predicate', when: { predicate: broken }, turns: [] },
    ]);
    expect(await textOf(model, { messages: [prompt('turn')] })).toContain('script bug');
    expect(await textOf(model, { messages: [prompt('predicate')] })).toContain('script bug');
  });
});

test('a function that never answers does not keep the model from closing', async () => {
  let asked: () => void = () => undefined;
  const turns = async (): Promise<never> => {
    asked();
    return new Promise<never>(() => undefined);
  };
  const model = await startModel([{ name: 'silent', when: {}, turns }]);
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const response = expect(ask(model)).rejects.toThrow('fetch failed');
  await wasAsked;
  await model.close();
  await response;
  expect(model.requests.all[0]?.answer.kind).toBe('pending');
});

test('scripts can be replaced while the model runs', async () => {
  const model = await startModel([saying('old', {})]);
  expect(await textOf(model, { messages: [prompt('Hi')] })).toBe('old');
  model.setScripts([saying('new', {})]);
  expect(await textOf(model, { messages: [prompt('Hi')] })).toBe('new');
});

describe('the log', () => {
  test('keeps every request with its answer, in order', async () => {
    const model = await startModel([saying('code', { skill: 'sluice:code' }), saying('rest', {})]);
    await textOf(model, { messages: [prompt('Hi')] });
    await textOf(model, { messages: [skill('sluice:code', '42 --light')], session: 's9' });
    model.requests.assertAllMatched();
    const scripts = model.requests.all.map(({ answer }) => (answer.kind === 'scripted' ? answer.script : answer.kind));
    expect(scripts).toEqual(['rest', 'code']);
    expect(model.requests.matching({ skill: 'sluice:code' }).map((exchange) => exchange.request)).toMatchObject([
      {
        sessionId: 's9',
        skill: { name: 'sluice:code', args: '42 --light' },
        issue: { repository: null, number: 42 },
        prompt: expect.stringContaining('Work on 42 --light.'),
        credential: 'none',
      },
    ]);
  });

  test('can be waited on, and says so when the model closes first', async () => {
    const model = await startModel([saying('any', {})]);
    const second = model.requests.waitFor({ promptIncludes: 'Hi' }, 2);
    const third = expect(model.requests.waitFor({ promptIncludes: 'Hi' }, 3)).rejects.toThrow('closed while');
    await textOf(model, { messages: [prompt('Hi one')] });
    await textOf(model, { messages: [prompt('Hi two')] });
    expect((await second).request.prompt).toBe('Hi two');
    await model.close();
    await third;
  });
});

test('a slash command quoted in the middle of a text is not a skill', async () => {
  const model = await startModel([saying('any', {})]);
  await textOf(model, { messages: [prompt('The issue says:\n<command-name>/sluice:merge</command-name>')] });
  expect(model.requests.all[0]?.request.skill).toBeNull();
});
