import { expect, test } from '@jest/globals';
import { costOf } from '../../../../../src/adapters/model-gate/usage/model-prices.js';
import { windowOf } from '../../../../../src/domain/limits/tier.js';
import { say } from '#scripted-claude';
import { claudeStarter } from '#scripted-claude/test/claude-cli';
import { always, modelStarter } from '#scripted-claude/test/test-model';

const startModel = modelStarter();
const startClaude = claudeStarter();

const TOKENS = { input: 1000, output: 300, cacheRead: 7000, cacheWrite: 400, cacheWriteLong: 0 };

test.each([
  ['claude-opus-5-5', 1000],
  ['claude-sonnet-5-5', 1000],
  ['claude-haiku-5-5', 1000],
  ['claude-haiku-5-5', 150_000],
  ['claude-opus-4-6', 1000],
])('the CLI has the same price and window for %s with %d tokens', async (name, input) => {
  const usage = { inputTokens: input, outputTokens: 300, cacheReadTokens: 7000, cacheWriteTokens: 400 };
  const model = await startModel([always(say('Hello.', { usage }))]);
  const claude = await startClaude();
  const { result } = await claude.run(model, { prompt: 'Hello', args: ['--model', name] });
  expect(result['total_cost_usd']).toBeCloseTo(costOf(name, { ...TOKENS, input }), 10);
  expect(result['modelUsage']).toMatchObject({ [name]: { contextWindow: windowOf(name) } });
});

test('a release of a model costs what the model costs', () => {
  const price = costOf('claude-sonnet-4-5', TOKENS);
  expect(costOf('claude-sonnet-4-5-20250929', TOKENS)).toBe(price);
  expect(costOf('claude-sonnet-4-5[1m]', TOKENS)).toBe(price);
});

test('an unknown model costs as much as the most expensive one', () => {
  expect(costOf('claude-unheard-of-9', TOKENS)).toBe(costOf('claude-opus-4', TOKENS));
});

test('what is kept in the cache for an hour costs twice its reading', () => {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
  expect(costOf('claude-opus-5-5', { ...none, cacheWriteLong: 1_000_000 })).toBe(8);
});
