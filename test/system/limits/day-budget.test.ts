import { expect, test } from '@jest/globals';
import { NO_FIGURES } from '../../../src/domain/agent/outcome.js';
import type { Agent } from '../../../src/ports/agent.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* The day's budget of this repository is 100 USD. Other runs of it have set some of that aside. */

const HOUR = 60 * 60_000;

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const setAside = ({ instance }: EngineHarness, usd: number) =>
  instance.engine.modelAccount.admit('elsewhere', p.at, { usd, ms: HOUR });

/** Notes what each agent may spend. A dollar is not enough for code. */
const spending =
  (allowed: number[]) =>
  (usual: Agent): Agent => ({
    run: async (job) => {
      const { budgetUsd } = job.limits;
      allowed.push(budgetUsd ?? Number.NaN);
      if (job.phase !== 'code' || budgetUsd === null || budgetUsd > 1) return usual.run(job);
      const figures = { ...NO_FIGURES, costUsd: 1 };
      return { kind: 'over-budget', why: 'spent 1.00 USD of 1.00 USD', handoff: null, figures };
    },
  });

test('a run for which nothing is left says so, waits, and goes on when others have ended', async () => {
  const allowed: number[] = [];
  const harness = await atWork({ agent: spending(allowed) });
  await setAside(harness, 100);
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  const { modelAccount } = harness.instance.engine;
  expect(await harness.said(number)).toEqual([
    expect.stringContaining(
      'this repository spent $0.00 of $100.00 today (UTC), and $100.00 is set aside for runs at work',
    ),
  ]);
  expect(allowed).toEqual([]);
  await modelAccount.recordEnd('elsewhere', p.at, { kind: 'succeeded', costUsd: 50 });
  p.clock.advance(2 * HOUR);
  await harness.finish();
  expect(await harness.labels(number)).toContain('phase/done');
});

test('a run that was overtaken when it was about to start waits, too, instead of trying again and again', async () => {
  const allowed: number[] = [];
  const at: { harness?: EngineHarness } = {};
  at.harness = await atWork({
    agent: spending(allowed),
    workspace: (usual) => ({
      ...usual,
      open: async (wanted) => {
        if (at.harness !== undefined) await setAside(at.harness, 100);
        return usual.open(wanted);
      },
    }),
  });
  const number = await at.harness.open('wren');
  await at.harness.say('wren', number, '/auto');
  expect(allowed).toEqual([]);
  expect(await at.harness.state(number)).toMatchObject({ halt: null, lease: null, counters: { neverRan: 1 } });
  expect((await at.harness.said(number)).join('\n')).toContain('$100.00 is set aside for runs at work');
});

test('a run gets what is left of the day; when that is used up the work goes on later, without a person', async () => {
  const allowed: number[] = [];
  const harness = await atWork({ agent: spending(allowed) });
  await setAside(harness, 99);
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  expect(Math.max(...allowed)).toBe(1);
  expect(await harness.state(number)).toMatchObject({
    halt: null,
    spentUsd: 1.01,
    counters: { partialRuns: 1, failures: 0 },
  });
  expect((await harness.said(number)).join('\n')).toContain('this repository spent $1.01 of $100.00 today (UTC)');
  p.clock.advance(2 * HOUR);
  await harness.finish();
  expect(await harness.labels(number)).toContain('phase/done');
  expect(allowed.at(-1)).toBeGreaterThan(1);
});
