import { describe, expect, test } from '@jest/globals';
import { type ModelConfig, modelFor, windowOf } from '../../../../src/domain/limits/tier.js';

const config: ModelConfig = {
  heavy: 'claude-opus-5-5',
  medium: 'claude-sonnet-5-5',
  light: null,
  fallback: 'claude-haiku-4-5',
};

describe('the model of a run', () => {
  test('is chosen by phase and size', () => {
    expect(modelFor('spec', { size: 'L', options: {}, config })).toEqual({
      tier: 'heavy',
      id: 'claude-opus-5-5',
      fallback: 'claude-haiku-4-5',
      windowTokens: 1_000_000,
    });
    expect(modelFor('spec', { size: 'S', options: {}, config })).toMatchObject({
      tier: 'medium',
      id: 'claude-sonnet-5-5',
    });
    expect(modelFor('issue', { size: null, options: {}, config })).toMatchObject({ tier: 'light' });
  });

  test('is the one that was asked for', () => {
    const chosen = modelFor('issue', { size: 'XS', options: { model: 'heavy' }, config });
    expect(chosen).toMatchObject({ tier: 'heavy', id: 'claude-opus-5-5' });
  });

  test('without a configured id is left to the CLI, whose window may be small', () => {
    expect(modelFor('issue', { size: 'M', options: {}, config })).toMatchObject({ id: null, windowTokens: 200_000 });
  });

  test('does not fall back on itself', () => {
    const same: ModelConfig = { ...config, fallback: 'claude-opus-5-5' };
    expect(modelFor('code', { size: 'L', options: {}, config: same }).fallback).toBeNull();
    expect(modelFor('code', { size: 'S', options: {}, config: same }).fallback).toBe('claude-opus-5-5');
  });
});

test.each([
  ['claude-opus-5-5', 1_000_000],
  ['claude-opus-4-6', 200_000],
  ['claude-sonnet-4-5-20250929', 200_000],
  ['claude-opus-4-8-20260101', 1_000_000],
  ['claude-sonnet-4-5[1m]', 1_000_000],
  ['sonnet', 200_000],
  ['somebody-else’s-model', 200_000],
  [null, 200_000],
])('%s takes %d tokens', (id, tokens) => {
  expect(windowOf(id)).toBe(tokens);
});
