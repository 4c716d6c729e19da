import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { AgentOutcome } from '../../../src/domain/agent/outcome.js';
import type { ManualClock } from '#pocket-github/clock';
import type { Agent, AgentJob } from '../../../src/ports/agent.js';
import type { Clone } from '../../../src/ports/workspace.js';
import { scratchClone } from '../../support/agent/scratch-clone.js';

/** What an agent can be made to do, whatever it is made of. */
export type Behaviour =
  /** Writes `made.txt`, and gives `{ nonce, summary: 'done' }`. */
  | 'works'
  | 'gives no result'
  | 'answers for another run'
  | 'never ends'
  | 'uses up its turns'
  | 'is refused by the API'
  | 'is told to wait by the API';

export interface AgentFixture {
  readonly agent: Agent;
  readonly clock: ManualClock;
  /** Settles when the agent is in the middle of its work. */
  busy(): Promise<unknown>;
  close(): Promise<void>;
}

export const SCHEMA = {
  type: 'object',
  properties: { nonce: { type: 'string' }, summary: { type: 'string' } },
  required: ['nonce', 'summary'],
};

const TIMEOUT_MS = 60_000;
const LIMITS = { maxTurns: 2, budgetUsd: null, capMs: TIMEOUT_MS };
export const MODEL = { id: null, fallback: null, windowTokens: 200_000 };

/** What the use cases may expect of any agent. */
export function agentContract(name: string, open: (behaviour: Behaviour) => Promise<AgentFixture>): void {
  const opened: AgentFixture[] = [];
  const clones: Clone[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((fixture) => fixture.close()));
    await Promise.all(clones.splice(0).map((clone) => clone.dispose()));
  });

  async function start(behaviour: Behaviour, overrides: Partial<AgentJob> = {}) {
    const fixture = await open(behaviour);
    const clone = await scratchClone();
    opened.push(fixture);
    clones.push(clone);
    const run = (): Promise<AgentOutcome> =>
      fixture.agent.run({
        phase: 'code',
        phaseRun: 'run-1',
        nonce: 'n-5e1f',
        prompt: 'Do the work.\n\nNonce: n-5e1f',
        schema: SCHEMA,
        clone,
        model: MODEL,
        limits: LIMITS,
        signal: new AbortController().signal,
        ...overrides,
      });
    return { fixture, clone, run };
  }

  describe(`${name} that`, () => {
    test('works leaves its work in the clone and gives its result', async () => {
      const { run, clone } = await start('works', { limits: { ...LIMITS, maxTurns: 5 } });
      const outcome = await run();
      expect(outcome).toMatchObject({ kind: 'succeeded', result: { nonce: 'n-5e1f', summary: 'done' } });
      expect(outcome.figures).toEqual({
        turns: expect.any(Number),
        costUsd: expect.any(Number),
        reportedUsd: expect.any(Number),
        ms: 0,
        waitedMs: 0,
        model: expect.any(String),
        models: [outcome.figures.model],
        sessionId: expect.any(String),
        tokens: {
          input: expect.any(Number),
          output: expect.any(Number),
          cacheRead: expect.any(Number),
          cacheWrite: expect.any(Number),
        },
        steps: 1,
        resumes: 0,
        compactions: 0,
        processes: expect.any(Number),
        maxRssMb: expect.any(Number),
      });
      expect(outcome.figures.turns).toBeGreaterThan(0);
      expect(outcome.figures.costUsd).toBeGreaterThan(0);
      expect(await readFile(join(clone.path, 'made.txt'), 'utf8')).toBe('made\n');
    });

    test('works without leaving what it is there to make comes to nothing', async () => {
      const asked: unknown[] = [];
      const missing = async (result: unknown): Promise<string> => {
        asked.push(result);
        return 'there is no commit';
      };
      const { run } = await start('works', { limits: { ...LIMITS, maxTurns: 20 }, missing });
      expect(await run()).toMatchObject({ kind: 'no-op' });
      expect(asked[0]).toEqual({ nonce: 'n-5e1f', summary: 'done' });
    });

    test.each<[Behaviour, Partial<AgentOutcome>]>([
      ['gives no result', { kind: 'no-op' }],
      ['answers for another run', { kind: 'failed', cause: 'invalid-result' }],
      ['uses up its turns', { kind: 'turn-capped' }],
      ['is refused by the API', { kind: 'auth' }],
      ['is told to wait by the API', { kind: 'throttled' }],
    ])('%s ends in a value', async (behaviour, expected) => {
      const { run } = await start(behaviour);
      expect(await run()).toMatchObject(expected);
    });

    test('never ends is stopped by its signal', async () => {
      const abort = new AbortController();
      const { fixture, run } = await start('never ends', { signal: abort.signal });
      const running = run();
      await fixture.busy();
      abort.abort();
      expect(await running).toMatchObject({ kind: 'stopped', figures: { ms: 0 } });
    });

    test('never ends is ended at its deadline', async () => {
      const { fixture, run } = await start('never ends');
      const running = run();
      await fixture.busy();
      fixture.clock.advance(TIMEOUT_MS);
      expect(await running).toMatchObject({ kind: 'timed-out', figures: { ms: TIMEOUT_MS } });
    });

    test('is stopped before it starts does nothing', async () => {
      const { run, clone } = await start('works', { signal: AbortSignal.abort() });
      expect(await run()).toMatchObject({ kind: 'stopped' });
      await expect(readFile(join(clone.path, 'made.txt'), 'utf8')).rejects.toThrow('ENOENT');
    });
  });
}
