import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cut } from '../src/script/break.js';
import { fail, promptTooLong, rateLimit, usageLimit } from '../src/script/fail.js';
import { bash, refuse, say, structured, think, together, write } from '../src/script/say.js';
import type { Script } from '../src/script/script.js';
import type { Turn } from '../src/script/turn.js';
import { claudeStarter, type ClaudeOptions } from './support/claude-cli.js';
import { always, modelStarter } from './support/test-model.js';

const startModel = modelStarter();
const startClaude = claudeStarter();

const schema = (properties: Record<string, unknown>): string[] => [
  '--json-schema',
  JSON.stringify({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false }),
];

test('the real CLI runs a command, writes a file and returns a structured result', async () => {
  const usage = { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 200, cacheWriteTokens: 10 };
  const model = await startModel(
    [
      {
        name: 'work',
        when: { promptIncludes: 'do the work', tool: 'StructuredOutput' },
        turns: [
          together(
            think('A command first.'),
            say('Looking.'),
            bash('echo from-$((40 + 2)) > made.txt && cat made.txt', { usage }),
          ),
          ({ toolResults }) => write('notes.md', `The command said ${toolResults[0]?.text}.\n`, { usage }),
          structured({ done: true, note: 'all well' }, { usage }),
        ],
      },
    ],
    { apiKeys: ['sk-ant-test'] },
  );
  const claude = await startClaude();
  const args = schema({ done: { type: 'boolean' }, note: { type: 'string' } });
  const run = await claude.run(model, { prompt: 'Please do the work', args });

  expect(run.result).toMatchObject({
    is_error: false,
    terminal_reason: 'completed',
    structured_output: { done: true, note: 'all well' },
  });
  expect(run.result.usage).toMatchObject({
    input_tokens: 3000,
    output_tokens: 150,
    cache_read_input_tokens: 600,
    cache_creation_input_tokens: 30,
  });
  expect(await readFile(join(claude.directory, 'made.txt'), 'utf8')).toBe('from-42\n');
  expect(await readFile(join(claude.directory, 'notes.md'), 'utf8')).toBe('The command said from-42.\n');
  expect(run.exitCode).toBe(0);

  model.requests.assertAllMatched();
  const requests = model.requests.all.map((exchange) => exchange.request);
  expect(
    requests.map(({ turn, stream, credential, sessionId, prompt }) => ({
      turn,
      stream,
      credential,
      sessionId,
      prompt,
    })),
  ).toEqual(
    [0, 1, 2].map((turn) => ({
      turn,
      stream: true,
      credential: 'api-key',
      sessionId: run.sessionId,
      prompt: 'Please do the work',
    })),
  );
  expect(requests[2]?.toolResults.map(({ tool, isError }) => ({ tool, isError }))).toEqual([
    { tool: 'Bash', isError: false },
    { tool: 'Write', isError: false },
  ]);
});

test('a script picked by skill and issue can echo what the skill says', async () => {
  const turns: Script['turns'] = ({ prompt, skill }) =>
    structured({ nonce: /Nonce: (\S+)/.exec(prompt)?.[1] ?? '', args: skill?.args ?? '' });
  const model = await startModel([
    { name: 'other issue', when: { skill: 'demo:code', issue: 7 }, turns: () => fail(500) },
    { name: 'code', when: { skill: 'demo:code', issue: 'acme/web#42' }, turns },
  ]);
  const claude = await startClaude();
  const plugin = join(claude.directory, '../plugin');
  await mkdir(join(plugin, '.claude-plugin'), { recursive: true });
  await mkdir(join(plugin, 'skills/code'), { recursive: true });
  await writeFile(
    join(plugin, '.claude-plugin/plugin.json'),
    '{ "name": "demo", "version": "0.1.0", "description": "A demo" }',
  );
  await writeFile(
    join(plugin, 'skills/code/SKILL.md'),
    '---\nname: code\ndescription: Code an issue\n---\n\nWork on $ARGUMENTS.\n\nNonce: $1\n',
  );

  const args = ['--plugin-dir', plugin, ...schema({ nonce: { type: 'string' }, args: { type: 'string' } })];
  const run = await claude.run(model, { prompt: '/demo:code acme/web#42 n-5e1f --depth light', args });
  expect(run.result.structured_output).toEqual({ nonce: 'n-5e1f', args: 'acme/web#42 n-5e1f --depth light' });
  expect(model.requests.all[0]?.request).toMatchObject({
    skill: { name: 'demo:code', args: 'acme/web#42 n-5e1f --depth light' },
    issue: { repository: 'acme/web', number: 42 },
  });
  model.requests.assertAllMatched();
});

describe('the real CLI reports', () => {
  const resetAt = Date.UTC(2030, 0, 5, 12, 0, 0);
  const failed = { is_error: true, terminal_reason: 'api_error' };
  test.each<[string, Turn, Record<string, unknown>, Partial<ClaudeOptions>]>([
    ['a wrong key', fail(401), { ...failed, api_error_status: 401 }, {}],
    ['an unknown model', fail(404), { ...failed, api_error_status: 404 }, {}],
    [
      'a prompt that is too long',
      promptTooLong(),
      { is_error: true, terminal_reason: 'prompt_too_long', api_error_status: 400 },
      {},
    ],
    // A wait of more than a minute is not waited for, whatever the number of retries.
    [
      'a long rate limit',
      rateLimit({ retryAfterSeconds: 3600 }),
      { ...failed, api_error_status: 429 },
      { maxRetries: 3 },
    ],
    [
      "a subscription's usage limit",
      usageLimit({ resetAt }),
      { ...failed, api_error_status: 429, api_error: 'usage_limit_reached' },
      { credential: 'oauth', maxRetries: 3 },
    ],
    ['an overload', fail(529), { ...failed, api_error_status: 529 }, {}],
    ['a cut stream', cut(), { ...failed, api_error_status: null, api_error: 'connection_failed' }, {}],
    ['a refusal', refuse(), { ...failed, api_error_status: null }, {}],
  ])('%s', async (_name, turn, expected, options) => {
    const model = await startModel([always(turn)]);
    const run = await (await startClaude()).run(model, { prompt: 'Please try', ...options });
    expect(run.result).toMatchObject(expected);
    expect(run.exitCode).toBe(1);
    model.requests.assertAllMatched();
    const limits = run.events.filter((event) => event['type'] === 'rate_limit_event');
    expect(limits.map((event) => event['rate_limit_info'])).toMatchObject(
      options.credential === 'oauth'
        ? [{ status: 'rejected', rateLimitType: 'five_hour', resetsAt: resetAt / 1000 }]
        : [],
    );
  });

  test('a request no script answers at once, without trying again', async () => {
    const model = await startModel([{ name: 'other', when: { skill: 'demo:code' }, turns: [say('Hi')] }]);
    const run = await (await startClaude()).run(model, { prompt: 'Please try', maxRetries: 5 });
    expect(run.result).toMatchObject({ ...failed, api_error_status: 500 });
    expect(run.result.result).toContain('No script answers this request: no skill, no issue, turn 0');
    expect(model.requests.all).toHaveLength(1);
  });
});

test('the real CLI recovers from an overload and from a cut stream', async () => {
  const model = await startModel([always(fail(529, { times: 1 }), cut({ times: 1 }), say('Recovered.'))]);
  const run = await (await startClaude()).run(model, { prompt: 'Please try', maxRetries: 1 });
  expect(run.result).toMatchObject({ is_error: false, terminal_reason: 'completed', result: 'Recovered.' });
  expect(model.requests.all.map(({ request }) => request.stream)).toEqual([true, true, false]);
});
