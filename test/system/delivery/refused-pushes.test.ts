import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RefEffect } from '#pocket-github';
import { findRef } from '#pocket-github/testing';
import { GitHostError } from '../../../src/ports/git-host.js';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { withTime } from '../../support/github/pass-time.js';
import { CodeRunCounter, interceptPushes } from '../../support/github/interleaving.js';

/* GitHub does not take a push: for a moment, for good, or without an answer. Finished work is kept, and nobody pays for it twice. */

let p: TestPocket;
let paid: CodeRunCounter;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  paid = new CodeRunCounter();
  p.pocket.faults.clear();
});

async function asked(
  command: string,
  { agent = (usual) => usual, ...options }: EngineHarnessOptions,
): Promise<EngineHarness> {
  const harness = await open({ ...options, agent: paid.counting(agent) });
  await harness.open('wren');
  await harness.say('wren', 1, command);
  return harness;
}

const WORK = 'sluice/issue-1';
const DONE = ['phase/done', 'size/M', 'triaged'];
const HOOK: RefEffect = { kind: 'pre-receive', lines: ['No commits on Fridays.'] };

const refuse = (branch: string, effect: RefEffect, occurrence: { always: true } | { nth: number }): void => {
  p.pocket.faults.arm({ on: 'ref', match: { ref: `refs/heads/${branch}` }, occurrence, effect });
};
const branch = (name: string) => findRef(p.pocket.world.tables, p.repository.id, `refs/heads/${name}`);

describe('a push that is refused for good', () => {
  test('to base becomes a pull request; nothing is charged and GitHub is quoted', async () => {
    refuse('main', HOOK, { always: true });
    const harness = await asked('/auto', { size: 'XS' });
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    const { progress, counters, lease } = await harness.state(1);
    expect(pulls).toHaveLength(1);
    expect(progress.pullReason).toContain('No commits on Fridays.');
    expect({ failures: counters.failures, lease }).toEqual({ failures: 0, lease: null });
    expect((await harness.said(1)).join('\n')).toContain('No commits on Fridays.');
    expect(paid.count).toBe(1);
  });

  test('of the work branch asks for a person, and `/auto continue` needs no new agent run', async () => {
    refuse(WORK, HOOK, { nth: 1 });
    const harness = await asked('/auto', { size: 'M' });
    await harness.finish();
    const { halt, lease, counters } = await harness.state(1);
    expect(await harness.labels(1)).toContain('auto/needs-human');
    expect(halt).toMatchObject({ code: 'push-refused', because: expect.stringContaining('No commits on Fridays.') });
    expect({ lease, failures: counters.failures, paid: paid.count }).toEqual({ lease: null, failures: 0, paid: 1 });
    await harness.say('wren', 1, '/auto continue');
    expect(branch(WORK)).toBeDefined();
    await harness.finish();
    expect(await harness.labels(1)).toEqual(DONE);
    // The review sends it back once, whoever pushed it.
    expect(paid.count).toBe(2);
  });

  test('by push protection, which covers every ref: the state still says what happened', async () => {
    const secret: RefEffect = { kind: 'push-protection', secret: 'A token', path: 'work.txt:1' };
    refuse(WORK, secret, { always: true });
    p.pocket.faults.arm({
      on: 'ref',
      match: { ref: 'refs/sluice/wip/*' },
      occurrence: { always: true },
      effect: secret,
    });
    const harness = await asked('/auto', { size: 'M' });
    const { halt, lease, spentUsd } = await harness.state(1);
    expect(halt).toMatchObject({ code: 'push-refused', because: expect.stringContaining('PUSH PROTECTION') });
    expect(lease).toBeNull();
    expect(spentUsd).toBeGreaterThan(0);
  });
});

describe('a push that is refused for a moment', () => {
  test.each(['failed', 'failure', 'Internal Server Error', 'cannot lock ref'])('(%s) is sent again', async (reason) => {
    refuse('main', { kind: 'refuse-ref', reason }, { nth: 1 });
    const harness = await withTime(p, asked('/auto', { size: 'XS' }));
    expect(await harness.labels(1)).toEqual(['phase/done', 'size/XS', 'triaged']);
    expect(paid.count).toBe(1);
  });

  test('for longer than a write may wait: the state moves alone, and later the work without a new run', async () => {
    refuse('main', { kind: 'refuse-ref', reason: 'failed' }, { always: true });
    const harness = await withTime(p, asked('/auto', { size: 'XS' }));
    const { progress, lease, counters } = await harness.state(1);
    expect(progress.ready).not.toBeNull();
    expect({ lease, failures: counters.failures }).toEqual({ lease: null, failures: 0 });
    p.pocket.faults.clear();
    await withTime(p, harness.finish());
    expect(await harness.labels(1)).toEqual(['phase/done', 'size/XS', 'triaged']);
    expect(paid.count).toBe(1);
  });

  test('of the state itself is sent again too', async () => {
    p.pocket.faults.arm({
      on: 'ref',
      match: { ref: 'refs/sluice/issue-1' },
      occurrence: { nth: 3 },
      effect: { kind: 'refuse-ref', reason: 'failed' },
    });
    const harness = await withTime(p, asked('/auto', { size: 'XS' }));
    expect(await harness.labels(1)).toEqual(['phase/done', 'size/XS', 'triaged']);
    expect(paid.count).toBe(1);
  });
});

describe('a push that gets no answer', () => {
  /** The line is down from the first time work is pushed, for this many tries. */
  const silentFor = (tries: number) => {
    const left = { tries };
    return (usual: Parameters<typeof interceptPushes>[0]) =>
      interceptPushes(usual, async (refs, push) => {
        const isWork = refs.some(({ ref }) => ref.startsWith('refs/heads/'));
        if (left.tries === 0 || !isWork) return push();
        left.tries -= 1;
        throw new GitHostError('no answer', 'transient');
      });
  };

  test.each([1, 3, 7])('%i times: the result is held and written when there is one', async (tries) => {
    const harness = await withTime(p, asked('/auto', { size: 'XS', gitHost: silentFor(tries) }));
    expect(await harness.labels(1)).toEqual(['phase/done', 'size/XS', 'triaged']);
    expect(paid.count).toBe(1);
  });
});
