import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type BodyJudge, JudgeThread } from '../../../../src/adapters/model-gate/judge/judge-thread.js';
import { KeyProxy, type KeyProxyOptions } from '../../../../src/adapters/model-gate/key-proxy.js';
import { systemClock } from '../../../../src/adapters/clock/system-clock.js';
import { bash, call, cut, fail, read, say, think, together, usageLimit } from '#scripted-claude';
import type { Allowance, ModelPass } from '../../../../src/ports/model-gate.js';
import { type ClaudeOptions, claudeStarter } from '#scripted-claude/test/claude-cli';
import { always, modelStarter } from '#scripted-claude/test/test-model';
import { RecordingLog } from '../../../support/recording-log.js';

/* The real CLI behind the key proxy. */

const startModel = modelStarter();
const startClaude = claudeStarter();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function admit(
  upstream: string,
  allowance?: Allowance,
  options: Partial<KeyProxyOptions> = {},
): Promise<ModelPass> {
  const credential = { kind: 'api-key', value: 'sk-ant-api03-the-real-one' } as const;
  const listen = { kind: 'loopback' } as const;
  const proxy = new KeyProxy({
    credential,
    upstream: new URL(upstream),
    listen,
    clock: systemClock,
    log: new RecordingLog(),
    ...options,
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

/** One pixel. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** One empty page. */
const PAPER = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/MediaBox[0 0 3 3]/Parent 2 0 R>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

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

  test('is refused nothing: images, documents, helpers, tools that come later, answers that are not streamed', async () => {
    const helper = (prompt: string) => call('Agent', { description: 'Help', prompt, subagent_type: 'general-purpose' });
    const model = await startModel([
      { name: 'helper', when: { promptIncludes: 'HELP' }, turns: [say('Helped.')] },
      always(
        together(think('First the files.'), read('image.png'), read('paper.pdf')),
        together(helper('HELP one'), helper('HELP two')),
        call('ToolSearch', { query: 'select:NotebookEdit', max_results: 3 }),
        cut({ times: 2 }),
        say('Done.'),
      ),
    ]);
    const [log, thread, bodies]: [RecordingLog, JudgeThread, string[]] = [new RecordingLog(), new JudgeThread(), []];
    const judge: BodyJudge = {
      judge: (bytes, endpoint) => {
        bodies.push(bytes.toString());
        return thread.judge(bytes, endpoint);
      },
      close: () => thread.close(),
    };
    const pass = await admit(model.url, undefined, { log, judge });
    const claude = await startClaude();
    await writeFile(join(claude.directory, 'image.png'), Buffer.from(IMAGE, 'base64'));
    await writeFile(join(claude.directory, 'paper.pdf'), PAPER);
    const url = pass.env['ANTHROPIC_BASE_URL'] ?? '';
    const { result } = await claude.run({ url }, { prompt: 'Go', maxRetries: 1, env: { ...pass.env } });
    expect(result).toMatchObject({ is_error: false, result: 'Done.' });
    expect(log.lines.filter(({ message }) => message === 'model request refused')).toEqual([]);
    for (const type of ['image', 'document', 'tool_reference', 'thinking']) {
      expect(bodies.join('')).toContain(`"type":"${type}"`);
    }
    expect(model.requests.matching({ promptIncludes: 'HELP' })).toHaveLength(2);
    expect(model.requests.all.at(-1)?.request.stream).toBe(false);
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
