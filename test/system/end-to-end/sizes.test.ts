import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isSweeping } from '../../../src/entry/demo/play.js';
import { type DemoHarness, openDemoHarness } from '../../support/service/demo-harness.js';

/* From `/auto` to a verified close, through the whole machine: signed webhook, Probot, BullMQ, the real CLI, git over HTTP. */

let harness: DemoHarness;

beforeAll(async () => {
  harness = await openDemoHarness();
});

afterAll(async () => {
  expect(harness.world.defects()).toEqual([]);
  await harness.world.close();
});

const ISSUES = { S: 1, M: 2, XS: 3, L: 4, XL: 5 };

/** API requests of the service since `seq`, those about tokens and those of the sweep apart. */
function requestsSince(seq: number): number {
  return harness.world.pocket.journal
    .requests(seq)
    .filter(
      (request) =>
        request.surface !== 'git' &&
        request.tokenKind === 'installation' &&
        request.actor.startsWith('sluice') &&
        !request.operation.includes('access_tokens') &&
        !isSweeping(request),
    ).length;
}

describe('an issue of size', () => {
  test.each([
    ['XS', 0, 14],
    ['S', 1, 14],
  ] as const)('%s lands as one commit on the base branch and is verified', async (size, specs, budget) => {
    const before = await harness.facts(ISSUES[size]);
    const seq = harness.world.pocket.journal.lastSeq();
    await harness.drive(ISSUES[size]);
    const facts = await harness.facts(ISSUES[size]);
    expect(facts).toMatchObject({
      state: 'closed',
      labels: ['phase/done', `size/${size}`, 'triaged'],
      pulls: [],
      ours: { status: 1, triage: 1, spec: specs },
    });
    expect(facts.commits).toHaveLength(before.commits.length + 1);
    expect(requestsSince(seq)).toBeLessThanOrEqual(budget);
  });

  test('landed by a commit of the App’s own bot, and of nobody else', async () => {
    const { person, at } = harness;
    const { data: bot } = await person.rest.users.getByUsername({ username: 'sluice-dev[bot]' });
    const { data: commits } = await person.rest.repos.listCommits({ ...at, per_page: 1 });
    const by = { name: 'sluice-dev[bot]', email: `${bot.id}+sluice-dev[bot]@users.noreply.github.com` };
    expect(commits[0]?.commit).toMatchObject({ author: by, committer: by });
  });

  // A fix loop may cost eight more, and the brain's first attempt at these leaves something for the review to find.
  test.each([
    ['M', 'light', 24 + 8],
    ['L', 'full', 24 + 8],
  ] as const)('%s goes through one pull request with a %s review', async (size, depth, budget) => {
    const before = await harness.facts(ISSUES[size]);
    const seq = harness.world.pocket.journal.lastSeq();
    await harness.drive(ISSUES[size]);
    const facts = await harness.facts(ISSUES[size]);
    expect(facts).toMatchObject({
      state: 'closed',
      labels: ['phase/done', `size/${size}`, 'triaged'],
      pulls: [{ merged: true }],
      ours: { status: 1, triage: 1, spec: 1 },
    });
    expect(facts.status).toContain(`route pr, ${depth} review`);
    expect(facts.commits).toHaveLength(before.commits.length + 1);
    expect(requestsSince(seq)).toBeLessThanOrEqual(budget);
  });

  test('XL is answered clearly', async () => {
    await harness.drive(ISSUES.XL);
    const facts = await harness.facts(ISSUES.XL);
    expect(facts).toMatchObject({ state: 'open', pulls: [] });
    expect(facts.labels).toContain('auto/needs-human');
    expect(facts.status).toContain('Split it into smaller issues');
  });

  test('all webhooks delivered once more change nothing', async () => {
    const { pocket, service } = harness.world;
    const numbers = Object.values(ISSUES);
    const before = await Promise.all(numbers.map((number) => harness.facts(number)));
    const written = pocket.world.tables.events.all().length;
    for (const delivery of pocket.world.tables.deliveries.all()) {
      await fetch(service.webhookUrl, {
        method: 'POST',
        headers: { ...delivery.requestHeaders },
        body: delivery.payload,
      });
    }
    await service.settled();
    await pocket.settle();
    expect(await Promise.all(numbers.map((number) => harness.facts(number)))).toEqual(before);
    expect(pocket.world.tables.events.all()).toHaveLength(written);
  });
});
