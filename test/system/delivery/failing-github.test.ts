import { beforeEach, describe, expect, test } from '@jest/globals';
import { pushTo } from '#pocket-github/test/branches';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* GitHub cuts what costs too much, and has its own moments: a run comes to its end all the same. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => p.pocket.faults.clear());

const DONE = ['phase/done', 'size/M', 'triaged'];

async function driven(options: EngineHarnessOptions = {}): Promise<EngineHarness> {
  const harness = await open({ size: 'M', ...options });
  await harness.open('wren');
  await harness.say('wren', 1, '/auto');
  await harness.finish();
  return harness;
}

describe('queries that cost too much', () => {
  test.each([
    ['are all cut, and asked again with smaller pages', { always: true } as const, 1_500],
    ['are cut once, in the middle', { nth: 3 } as const, 1],
  ])('%s', async (_, occurrence, nodesOver) => {
    p.pocket.faults.arm({
      on: 'request',
      match: { surface: 'graphql', operation: 'IssueSnapshot', nodesOver },
      occurrence,
      effect: { kind: 'graphql-error', type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Resource limits exceeded.' },
    });
    const harness = await driven();
    expect(await harness.labels(1)).toEqual(DONE);
  });
});

test('a base that is modified several times in a row is merged into in the end, and nothing is charged for it', async () => {
  p.pocket.faults.arm({
    on: 'request',
    match: { field: 'mergePullRequest' },
    occurrence: { times: 4 },
    effect: { kind: 'base-modified' },
  });
  const harness = await driven();
  expect(await harness.labels(1)).toEqual(DONE);
  expect((await harness.state(1)).counters.mergeTries).toBeLessThanOrEqual(1);
});

test('work begun before the default branch changed its workflows is brought up to date and pushed', async () => {
  const held = { yet: false };
  const harness = await driven({
    agent: (usual) => ({
      run: async (job) => {
        const outcome = await usual.run(job);
        if (job.phase === 'code' && !held.yet) {
          held.yet = true;
          await pushTo(p, 'main', { files: { '.github/workflows/ci.yml': 'on: push\n' } });
        }
        return outcome;
      },
    }),
  });
  expect(await harness.labels(1)).toEqual(DONE);
});
