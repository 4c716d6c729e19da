import { afterEach, describe, expect, test } from '@jest/globals';
import { KeyProxy } from '../../src/adapters/sandbox/key-proxy.js';
import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { cut } from '../../src/pocket/model/script/break.js';
import { fail, usageLimit } from '../../src/pocket/model/script/fail.js';
import { bash, say } from '../../src/pocket/model/script/say.js';
import type { Allowance, ModelPass } from '../../src/ports/model-gate.js';
import { type ClaudeOptions, claudeStarter } from '../pocket/model/claude-run.js';
import { always, modelStarter } from '../pocket/model/test-model.js';
import { RecordingLog } from '../support/recording-log.js';

/* The real CLI behind the key proxy. */

const startModel = modelStarter();
const startClaude = claudeStarter();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function admit(upstream: string, allowance?: Allowance): Promise<ModelPass> {
  const credential = { kind: 'api-key', value: 'sk-ant-api03-the-real-one' } as const;
  const listen = { kind: 'loopback' } as const;
  const proxy = new KeyProxy({
    credential,
    upstream: new URL(upstream),
    listen,
    clock: systemClock,
    log: new RecordingLog(),
  });
  const pass = await proxy.admit('run-1', allowance);
  closers.push(() => pass.close());
  return pass;
}

/** A run of the CLI that has only the pass. */
async function run(pass: ModelPass, options: Partial<ClaudeOptions> = {}) {
  const claude = await startClaude();
  const model = { url: pass.env['ANTHROPIC_BASE_URL'] ?? '' };
  return claude.run(model, { prompt: 'Go', ...options, env: { ...pass.env, ...options.env } });
}

const usage = { inputTokens: 5000, outputTokens: 1000 };

describe('the CLI behind the key proxy', () => {
  test('that keeps to no budget is ended by ours, and does not try again', async () => {
    const model = await startModel([always(bash('true', { usage, times: 100 }))]);
    const pass = await admit(model.url, { budgetUsd: 0.1 });
    const { result, events } = await run(pass, { maxRetries: 3 });
    expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error', api_error_status: 402 });
    expect(events.filter((event) => event['subtype'] === 'api_retry')).toEqual([]);
    expect(model.requests.all).toHaveLength(3);
    expect(pass.usage()).toMatchObject({ requests: 3, costUsd: expect.closeTo(0.12, 10) });
    expect(pass.trouble()).toEqual({ kind: 'over-budget', why: 'This run has spent 0.12 USD of its 0.10 USD.' });
  });

  test('agrees with it on what a run cost, on two models', async () => {
    const turns = [bash('true', { usage, times: 1 }), fail(529, { times: 3 }), say('Done.', { usage })];
    const model = await startModel([always(...turns)]);
    const pass = await admit(model.url);
    const args = ['--model', 'claude-opus-5-5', '--fallback-model', 'claude-sonnet-5-5'];
    const { result } = await run(pass, { args, maxRetries: 3 });
    expect(result).toMatchObject({ is_error: false, total_cost_usd: expect.closeTo(0.06, 10) });
    expect(pass.usage()).toMatchObject({
      costUsd: expect.closeTo(0.06, 10),
      models: ['claude-opus-5-5', 'claude-sonnet-5-5'],
    });
    expect(pass.trouble()).toBeNull();
  });

  test('claims no more than was counted when an answer was cut off', async () => {
    const model = await startModel([
      always(cut({ afterEvents: 8, times: 1 }, say('word '.repeat(100), { usage })), say('Done.', { usage })),
    ]);
    const pass = await admit(model.url);
    const { result } = await run(pass, { maxRetries: 3 });
    expect(result.is_error).toBe(false);
    const claimed = Number(result['total_cost_usd']);
    // Its answer in full, and the one before as far as it came to each of them.
    expect(claimed).toBeGreaterThanOrEqual(0.0399);
    expect(pass.usage().costUsd).toBeGreaterThanOrEqual(claimed);
    expect(pass.usage().costUsd).toBeLessThan(0.061);
  });

  test('is not needed to know of a usage limit: with a key it says nothing of it', async () => {
    const resetAt = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000;
    const model = await startModel([always(usageLimit({ resetAt }))]);
    const pass = await admit(model.url);
    const { events } = await run(pass, { maxRetries: 0 });
    expect(events.filter((event) => event['type'] === 'rate_limit_event')).toEqual([]);
    expect(pass.trouble()).toEqual({ kind: 'quota', until: resetAt });
  });
});
