import { expect, test } from '@jest/globals';
import { NO_FIGURES, type RunFigures } from '../../../../src/domain/agent/outcome.js';
import { runSummary } from '../../../../src/domain/agent/run-summary.js';

const figures = (n: number): RunFigures => ({
  ...NO_FIGURES,
  turns: n,
  ms: n * 1000,
  waitedMs: n * 10,
  costUsd: n / 4,
  model: `model-${n}`,
  models: [`model-${n}`],
  sessionId: 'a session is nobody’s business',
  tokens: { input: n, output: 2 * n, cacheRead: 3 * n, cacheWrite: 4 * n },
  steps: n,
  resumes: n,
  compactions: n,
  processes: n,
  maxRssMb: n * 100,
});

test('the agents of a phase run add up; the last one says how it ended', () => {
  const outcomes = [
    { kind: 'no-op', figures: figures(5), handoff: null },
    { kind: 'succeeded', result: {}, figures: figures(2), handoff: null },
  ] as const;
  expect(runSummary(outcomes)).toEqual({
    outcome: 'succeeded',
    model: 'model-2',
    turns: 7,
    ms: 7000,
    waitedMs: 70,
    costUsd: 1.75,
    tokens: { input: 7, output: 14, cacheRead: 21, cacheWrite: 28 },
    steps: 7,
    resumes: 7,
    compactions: 7,
    processes: 5,
    maxRssMb: 500,
  });
  expect(runSummary([])).toBeNull();
});
