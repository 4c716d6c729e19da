import { describe, expect, test } from '@jest/globals';
import type { Size } from '../../../src/domain/issue/size.js';
import type { Instant } from '../../../src/domain/issue/instant.js';
import type { GitHub, RawSnapshot } from '../../../src/ports/github.js';
import { addLabels, labelsByName } from '#pocket-github/testing';
import { issueActions } from '../../support/github/issue-actions.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { foreignApp } from '#pocket-github/test/foreign-app';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../support/until.js';

/* A1, A1d: a size decides whether work is reviewed. Who may not ask for a run tries to choose it. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const { comment, label, unlabel } = issueActions(() => p);

const pulls = async () => (await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' })).data;

const statusOf = async (harness: EngineHarness, number: number): Promise<string> =>
  (await harness.said(number)).find((body) => body.includes('sluice:status')) ?? '';

/** Started by wren and driven to its end. */
async function driven(harness: EngineHarness, number: number, command = '/auto'): Promise<void> {
  await harness.say('wren', number, command);
  await harness.finish();
  expect(await harness.labels(number)).toContain('phase/done');
}

/** It went through a pull request that was reviewed. */
async function isReviewed(harness: EngineHarness, number: number, size: Size = 'M'): Promise<void> {
  const opened = await pulls();
  expect(opened).toHaveLength(1);
  expect(opened[0]?.merged_at).not.toBeNull();
  expect((await harness.state(number)).progress.review).toMatchObject({ verdict: 'pass' });
  expect(await harness.labels(number)).toContain(`size/${size}`);
}

/** A GitHub on whose board the issue has a size. */
const onBoard =
  (size: Size, at: () => Instant) =>
  (usual: GitHub): GitHub => {
    const sized = <T extends RawSnapshot | null>(raw: T): T =>
      raw === null ? raw : { ...raw, projectSize: size, projectSizeAt: at() };
    return {
      ...usual,
      snapshot: async (...asked) => sized(await usual.snapshot(...asked)),
      project: async (...asked) => sized(await usual.project(...asked)),
      openPull: async (...asked) => sized(await usual.openPull(...asked)),
      acknowledge: async (...asked) => {
        const heard = await usual.acknowledge(...asked);
        return heard.kind === 'issue' ? { ...heard, snapshot: sized(heard.snapshot) } : heard;
      },
    };
  };

describe('A1: a size label by somebody with triage permission', () => {
  test('set before `/auto` does not make the route weaker than what triage found', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('mallory');
    await label('tess', number, 'size/XS');
    await driven(harness, number);
    await isReviewed(harness, number);
    expect(await harness.labels(number)).not.toContain('size/XS');
    expect(await statusOf(harness, number)).toContain(
      'XS stood on the issue when wren asked for this, which counts only where it is larger',
    );
  });

  test('set during the review changes nothing, is taken off and explained once', async () => {
    const held = agentHeldAt('review');
    const harness = await atWork({ size: 'M', agent: held.agent });
    const number = await harness.open('mallory');
    await comment('wren', number, '/auto');
    await harness.settle();
    p.clock.advance(100_000);
    const reviewing = harness.settle();
    await held.reached;
    await label('tess', number, 'size/XS');
    const hearing = harness.settle();
    await until('tess is told', async () =>
      (await harness.said(number)).some((text) => text.startsWith('<!--') && text.includes('tess, `size/XS`')),
    );
    held.open();
    await Promise.all([reviewing, hearing]);
    await harness.finish();
    await isReviewed(harness, number);
    expect(await harness.labels(number)).not.toContain('size/XS');
    expect((await harness.state(number)).run?.ownSize).toBeNull();
  });

  test('put in the place of a permitted person’s does not count during a run', async () => {
    const held = agentHeldAt('code');
    const harness = await atWork({ size: 'S', agent: held.agent });
    const number = await harness.open('mallory');
    await label('wren', number, 'size/L');
    await comment('wren', number, '/auto');
    const running = harness.settle();
    await held.reached;
    await unlabel('tess', number, 'size/L');
    await label('tess', number, 'size/XS');
    const hearing = harness.settle();
    held.open();
    await Promise.all([running, hearing]);
    await harness.finish();
    await isReviewed(harness, number, 'L');
  });

  test('does not choose the patch route where a person waives triage', async () => {
    const harness = await atWork();
    const number = await harness.open('mallory', '- [ ] The work is done');
    await label('tess', number, 'size/XS');
    await label('wren', number, 'phase/ready');
    await harness.finish();
    await isReviewed(harness, number);
  });

  test('makes the route stronger once somebody permitted asks for the run', async () => {
    const harness = await atWork({ size: 'S' });
    const number = await harness.open('mallory');
    await label('tess', number, 'size/L');
    await driven(harness, number);
    await isReviewed(harness, number, 'L');
    expect(await statusOf(harness, number)).toContain(
      'Size L, route pr, full review (it stood on the issue when wren asked for this; triage found S)',
    );
  });
});

describe('A1d: a size of unknown origin never makes a route weaker', () => {
  test('a label of an App that newer labels have pushed out of the timeline’s page', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('mallory');
    await label(foreignApp(p), number, 'size/XS');
    for (let round = 0; round < 16; round += 1) {
      await label('tess', number, 'busy');
      await unlabel('tess', number, 'busy');
    }
    await driven(harness, number);
    await isReviewed(harness, number);
  });

  test('a label an issue form set in a stranger’s name', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('mallory');
    await label('ada', number, 'size/XS');
    await unlabel('ada', number, 'size/XS');
    const { world } = p.pocket;
    const actor = { userId: p.users.mallory.id, viaAppId: null };
    const issue = world.tables.issues.by('repositoryId', p.repository.id).find((one) => one.number === number);
    if (issue === undefined) throw new Error('there is no issue');
    await addLabels(world, actor, issue, await labelsByName(world, actor, p.repository, ['size/XS']));
    await driven(harness, number);
    await isReviewed(harness, number);
  });

  test('a label of somebody who has lost write permission since', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('mallory');
    await label('wren', number, 'size/XS');
    await p.rest('ada').rest.repos.removeCollaborator({ ...p.at, username: 'wren' });
    await harness.say('ada', number, '/auto');
    await harness.finish();
    await isReviewed(harness, number);
  });

  test('a size on a project board', async () => {
    const harness = await atWork({ size: 'M', github: onBoard('XS', () => 0) });
    const number = await harness.open('mallory');
    await driven(harness, number);
    await isReviewed(harness, number);
  });

  test('a size on a project board makes it stronger if it stood there before the command', async () => {
    const harness = await atWork({ size: 'S', github: onBoard('L', () => 0) });
    const number = await harness.open('mallory');
    await driven(harness, number);
    expect(await pulls()).toHaveLength(1);
    expect((await harness.state(number)).run?.vouchedSize).toMatchObject({ size: 'L', by: 'wren' });
  });

  test('a size that came onto the board after the command counts for nothing', async () => {
    const harness = await atWork({ size: 'S', github: onBoard('XL', () => p.clock.now() + 1_000) });
    const number = await harness.open('mallory');
    await driven(harness, number);
    expect(await pulls()).toEqual([]);
    expect((await harness.state(number)).run?.vouchedSize).toBeNull();
  });
});

describe('a size label by somebody with write permission', () => {
  test('makes the route weaker than what triage found, and the status says who set it', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('mallory');
    await label('wren', number, 'size/XS');
    await driven(harness, number);
    expect(await pulls()).toEqual([]);
    expect(await statusOf(harness, number)).toContain('Size XS, route patch (set by wren; triage found M)');
  });

  test('set during a run is told as a step of it, with who set it', async () => {
    const held = agentHeldAt('code');
    const harness = await atWork({ size: 'S', agent: held.agent });
    const number = await harness.open('mallory');
    await comment('wren', number, '/auto');
    const running = harness.settle();
    await held.reached;
    await label('ada', number, 'size/L');
    const hearing = harness.settle();
    await until('it is written down', async () => (await harness.state(number)).run?.ownSize !== null);
    held.open();
    await Promise.all([running, hearing]);
    await harness.finish();
    await isReviewed(harness, number, 'L');
    expect((await harness.state(number)).transitions.map(({ because }) => because)).toContain(
      'ada set size/L; the route is pr, full review instead of patch',
    );
    expect(await statusOf(harness, number)).toContain('set by ada');
  });

  test.each<[string, (number: number) => Promise<void>, (usual: GitHub) => GitHub]>([
    ['a triage user’s label', (number) => label('tess', number, 'size/XL'), (usual) => usual],
    ['a board', async () => undefined, onBoard('XL', () => 0)],
  ])('has the last word over %s that would stop the run', async (_, stand, github) => {
    const harness = await atWork({ size: 'S', github });
    const number = await harness.open('mallory');
    await stand(number);
    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect((await harness.state(number)).halt).toMatchObject({ code: 'xl-unsupported' });
    await label('wren', number, 'size/S');
    await harness.finish();
    expect(await harness.labels(number)).toEqual(expect.arrayContaining(['size/S']));
    await driven(harness, number);
    expect(await pulls()).toEqual([]);
    expect(await harness.labels(number)).not.toContain('size/XL');
  });

  test('stays in force when somebody else takes it off, and when the run is asked for again', async () => {
    const harness = await atWork({ size: 'S' });
    const number = await harness.open('mallory');
    await label('wren', number, 'size/L');
    await harness.say('wren', number, '/auto --stop-at spec');
    await harness.finish();
    await unlabel('tess', number, 'size/L');
    await harness.finish();
    expect(await harness.labels(number)).toContain('size/L');
    await driven(harness, number);
    await isReviewed(harness, number, 'L');
  });
});
