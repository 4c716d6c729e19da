import { expect, test } from '@jest/globals';
import { NO_FIGURES } from '../../src/domain/outcome.js';
import type { Agent } from '../../src/ports/agent.js';
import type { Desk } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { TestPocket } from '../support/pocket.js';

/* The day's budget of this repository is 100 USD. Other runs of it have set some of that aside. */

const HOUR = 60 * 60_000;

let p: TestPocket;
const atWork = deskEachTest((pocket) => {
  p = pocket;
});

const setAside = ({ instance }: Desk, usd: number) =>
  instance.engine.account.admit('elsewhere', p.at, { usd, ms: HOUR });

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
  const desk = await atWork({ agent: spending(allowed) });
  await setAside(desk, 100);
  const number = await desk.open('wren');
  await desk.say('wren', number, '/auto');
  const { account } = desk.instance.engine;
  expect(await desk.said(number)).toEqual([
    expect.stringContaining(
      'this repository spent $0.00 of $100.00 today (UTC), and $100.00 is set aside for runs at work',
    ),
  ]);
  expect(allowed).toEqual([]);
  await account.ended('elsewhere', p.at, { kind: 'succeeded', costUsd: 50 });
  p.clock.advance(2 * HOUR);
  await desk.finish();
  expect(await desk.labels(number)).toContain('phase/done');
});

test('a run that was overtaken when it was about to start waits, too, instead of trying again and again', async () => {
  const allowed: number[] = [];
  const at: { desk?: Desk } = {};
  at.desk = await atWork({
    agent: spending(allowed),
    workspace: (usual) => ({
      ...usual,
      open: async (wanted) => {
        if (at.desk !== undefined) await setAside(at.desk, 100);
        return usual.open(wanted);
      },
    }),
  });
  const number = await at.desk.open('wren');
  await at.desk.say('wren', number, '/auto');
  expect(allowed).toEqual([]);
  expect(await at.desk.state(number)).toMatchObject({ halt: null, lease: null, counters: { neverRan: 1 } });
  expect((await at.desk.said(number)).join('\n')).toContain('$100.00 is set aside for runs at work');
});

test('a run gets what is left of the day; when that is used up the work goes on later, without a person', async () => {
  const allowed: number[] = [];
  const desk = await atWork({ agent: spending(allowed) });
  await setAside(desk, 99);
  const number = await desk.open('wren');
  await desk.say('wren', number, '/auto');
  expect(Math.max(...allowed)).toBe(1);
  expect(await desk.state(number)).toMatchObject({ halt: null, spentUsd: 1.01, counters: { slices: 1, failures: 0 } });
  expect((await desk.said(number)).join('\n')).toContain('this repository spent $1.01 of $100.00 today (UTC)');
  p.clock.advance(2 * HOUR);
  await desk.finish();
  expect(await desk.labels(number)).toContain('phase/done');
  expect(allowed.at(-1)).toBeGreaterThan(1);
});
