import { describe, expect, test } from '@jest/globals';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import type { LastRead } from '../../../src/usecases/sweep/installation-sweep.js';
import { seedRepository } from '#pocket-github/testing';
import { pushTo } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openSweepHarness } from '../../support/service/sweep-harness.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;

async function issue(labels: readonly string[] = []): Promise<number> {
  const { data } = await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', labels: [...labels] });
  return data.number;
}

const comment = async (who: 'ada' | 'wren' | 'mallory' | 'app', number: number, body: string): Promise<number> =>
  (await p.rest(who).rest.issues.createComment({ ...p.at, issue_number: number, body })).data.id;

const later = (ms: number): void => p.clock.advance(ms);

/** GitHub's operations of the sweep since `seq`, in order. */
const operations = (seq: number): string[] =>
  p.pocket.journal
    .requests(seq)
    .filter(({ actor, tokenKind }) => actor.includes('sluice-dev') && tokenKind === 'installation')
    .map(({ operation }) => operation);

describe('commands the sweep finds', () => {
  test('are delivered once, when webhooks have had their chance', async () => {
    const { sweep, missedCommands } = openSweepHarness(p);
    const number = await issue();
    await sweep.pass();
    await comment('wren', number, 'Please:\n/auto --pr');
    later(5 * SECOND);
    await sweep.pass();
    expect(missedCommands()).toEqual([]);
    later(MINUTE);
    await sweep.pass();
    expect(missedCommands()).toEqual([`wren on ada/sandbox#${number}: Please:\n/auto --pr`]);
    later(MINUTE);
    await sweep.pass();
    expect(missedCommands()).toEqual([]);
  });

  test('are those nobody answered, written by people and not edited', async () => {
    const { sweep, missedCommands } = openSweepHarness(p);
    const number = await issue();
    for (const content of ['rocket', 'confused'] as const) {
      const comment_id = await comment('wren', number, `/auto ${content}`);
      await p.rest('app').rest.reactions.createForIssueComment({ ...p.at, comment_id, content });
    }
    const seen = await comment('wren', number, '/auto looked at');
    await p.rest('app').rest.reactions.createForIssueComment({ ...p.at, comment_id: seen, content: 'eyes' });
    const liked = await comment('wren', number, '/auto liked');
    await p.rest('ada').rest.reactions.createForIssueComment({ ...p.at, comment_id: liked, content: 'rocket' });
    const edited = await comment('wren', number, 'nothing');
    later(SECOND);
    await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: edited, body: '/auto edited' });
    await comment('app', number, '/auto by a bot');
    await comment('mallory', number, 'a word about /auto');
    later(MINUTE);
    await sweep.pass();
    expect(missedCommands()).toEqual([`wren on ada/sandbox#${number}: /auto liked`]);
    // Whoever has begun with it is given some time; then it was cut short.
    later(2 * MINUTE);
    await sweep.pass();
    expect(missedCommands()).toEqual([`wren on ada/sandbox#${number}: /auto looked at`]);
  });

  test('are delivered again when they could not be handled, with growing pauses and not for ever', async () => {
    const told: number[] = [];
    const givenUp: string[] = [];
    const { sweep, log } = openSweepHarness(p, {
      handleCommand: async () => {
        told.push(p.clock.now());
        throw new Error('GitHub is away');
      },
      giveUp: async ({ body }, error) => void givenUp.push(`${body}: ${String(error)}`),
    });
    await comment('wren', await issue(), '/auto');
    later(MINUTE);
    for (let minute = 0; minute < 75; minute += 1) {
      await sweep.pass();
      later(MINUTE);
    }
    expect(told.map((at) => (at - (told[0] ?? 0)) / MINUTE)).toEqual([0, 1, 3, 7, 15, 31, 63]);
    expect(log.said('missed command not handled')).toHaveLength(7);
    // Then, and only then, whoever asked is told.
    expect(givenUp).toEqual(['/auto: Error: GitHub is away']);
  });

  test('are found after a day without us, and by whoever takes over', async () => {
    const number = await issue();
    await comment('wren', number, '/auto');
    later(23 * 60 * MINUTE);
    const first = openSweepHarness(p);
    await first.sweep.pass();
    expect(first.missedCommands()).toHaveLength(1);
    await first.sweep.stop();
    later(3 * 60 * MINUTE);
    await comment('wren', number, '/auto stop');
    later(30 * 60 * MINUTE);
    const second = openSweepHarness(p, { hints: first.hints, instance: 'two' });
    await second.sweep.pass();
    expect(second.missedCommands()).toEqual([`wren on ada/sandbox#${number}: /auto stop`]);
  });

  test('are found although GitHub was late in showing them', async () => {
    const { sweep, missedCommands } = openSweepHarness(p);
    const number = await issue();
    later(2 * MINUTE);
    await sweep.pass();
    later(MINUTE);
    await comment('wren', number, '/auto');
    const late = p.pocket.faults.arm({
      on: 'request',
      match: { operation: 'Sweep*' },
      occurrence: { always: true },
      effect: { kind: 'stale', lagMs: 50 * SECOND },
    });
    later(40 * SECOND);
    await sweep.pass();
    expect(missedCommands()).toEqual([]);
    p.pocket.faults.disarm(late);
    later(MINUTE);
    await sweep.pass();
    expect(missedCommands()).toHaveLength(1);
  });

  test('are found on the pull request of a driven issue', async () => {
    const { sweep, missedCommands } = openSweepHarness(p);
    const number = await issue(['auto/running']);
    await pushTo(p, `sluice/issue-${number}`, { files: { a: '1' } });
    const { data: pull } = await p
      .rest('ada')
      .rest.pulls.create({ ...p.at, title: 'Grow', head: `sluice/issue-${number}`, base: 'main' });
    await sweep.pass();
    later(MINUTE);
    await sweep.pass();
    await comment('wren', pull.number, '/auto pause');
    later(MINUTE);
    await sweep.pass();
    expect(missedCommands()).toEqual([`wren on ada/sandbox#${pull.number}: /auto pause`]);
  });
});

describe('issues the sweep wakes', () => {
  test('are the driven ones, at once and then every ten minutes', async () => {
    const { sweep, woken } = openSweepHarness(p);
    const number = await issue(['auto/running']);
    const closed = await issue(['auto/running']);
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: closed, state: 'closed' });
    await issue(['bug']);
    const times: number[] = [];
    for (let minute = 0; minute < 25; minute += 1) {
      await sweep.pass();
      if (woken().includes(`ada/sandbox#${number}`)) times.push(minute);
      later(MINUTE);
    }
    expect(times).toEqual([0, 10, 20]);
  });

  test('are not those that were looked at since they changed', async () => {
    const looks = new Map<number, LastRead>();
    const { sweep, woken } = openSweepHarness(p, { lastRead: ({ number }) => looks.get(number) ?? null });
    const number = await issue(['auto/running']);
    await sweep.pass();
    woken();
    later(MINUTE);
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: number, title: 'Grow more' });
    looks.set(number, { readAt: p.clock.now(), updatedAt: p.clock.now() });
    later(MINUTE);
    await sweep.pass();
    expect(woken()).toEqual([]);
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: number, title: 'Grow on' });
    later(MINUTE);
    await sweep.pass();
    expect(new Set(woken())).toEqual(new Set([`ada/sandbox#${number}`]));
  });

  test.each([
    ['got a phase label', async (number: number) => label(number, 'phase/ready')],
    ['lost the label that says we drive it', async (number: number) => unlabel(number, 'auto/running')],
    ['were deleted', async (number: number) => remove(number)],
  ])('are those that %s', async (_, happens) => {
    const { sweep, woken } = openSweepHarness(p);
    const number = await issue(['auto/running']);
    await sweep.pass();
    woken();
    later(MINUTE);
    await happens(number);
    later(MINUTE);
    await sweep.pass();
    expect(new Set(woken())).toEqual(new Set([`ada/sandbox#${number}`]));
  });

  test('are all of them again when Redis has forgotten everything', async () => {
    const hints = { ...createMemoryHintStore(p.clock) };
    const { sweep, woken } = openSweepHarness(p, { hints });
    const number = await issue(['auto/running']);
    await sweep.pass();
    later(MINUTE);
    await sweep.pass();
    woken();
    Object.assign(hints, createMemoryHintStore(p.clock));
    later(MINUTE);
    await sweep.pass();
    expect(woken()).toEqual([`ada/sandbox#${number}`]);
  });

  const label = async (issue_number: number, name: string) =>
    void (await p.rest('wren').rest.issues.addLabels({ ...p.at, issue_number, labels: [name] }));
  const unlabel = async (issue_number: number, name: string) =>
    void (await p.rest('wren').rest.issues.removeLabel({ ...p.at, issue_number, name }));
  const remove = async (number: number) => {
    const { data } = await p.rest('ada').rest.issues.get({ ...p.at, issue_number: number });
    const graphql = await p.graphql('ada');
    await graphql('mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }', {
      id: data.node_id,
    });
  };
});

describe('a pass of the sweep', () => {
  test('is done by one of several instances, and by another when that one is gone', async () => {
    const one = openSweepHarness(p);
    const two = openSweepHarness(p, { hints: one.hints, instance: 'two' });
    await issue(['auto/running']);
    await Promise.all([one.sweep.pass(), two.sweep.pass()]);
    expect([one.woken().length, two.woken().length]).toEqual([1, 0]);
    later(MINUTE);
    const seq = p.pocket.journal.lastSeq();
    await two.sweep.pass();
    expect(operations(seq)).toEqual([]);
    await one.sweep.stop();
    await two.sweep.pass();
    expect(operations(seq)).toContain('SweepRepositories');
  });

  test('comes by itself every minute until it is stopped', async () => {
    const { sweep } = openSweepHarness(p);
    const seq = p.pocket.journal.lastSeq();
    sweep.start();
    await sweep.settled();
    for (let minute = 0; minute < 3; minute += 1) {
      later(MINUTE);
      await sweep.settled();
    }
    expect(operations(seq).filter((operation) => operation === 'SweepRepositories')).toHaveLength(4);
    await sweep.stop();
    later(5 * MINUTE);
    await sweep.settled();
    expect(operations(seq).filter((operation) => operation === 'SweepRepositories')).toHaveLength(4);
  });

  test('of an installation with one bad repository looks at the others', async () => {
    const { world } = p.pocket;
    const other = await seedRepository(world, { owner: p.users.ada, name: 'garden' });
    const { sweep, woken, log } = openSweepHarness(p);
    await issue(['auto/running']);
    await sweep.pass();
    woken();
    world.tables.repositories.delete(other.id);
    later(10 * MINUTE - SECOND);
    await sweep.pass();
    expect(log.said('repository scan failed')).toMatchObject([{ fields: { repository: 'ada/garden' } }]);
    later(2 * SECOND);
    await sweep.pass();
    expect(woken()).toEqual(['ada/sandbox#1']);
  });

  test('that GitHub does not answer loses nothing', async () => {
    const { sweep, missedCommands } = openSweepHarness(p);
    await sweep.pass();
    await comment('wren', await issue(), '/auto');
    const fault = p.pocket.faults.arm({
      on: 'request',
      match: { operation: 'Sweep*' },
      occurrence: { always: true },
      effect: { kind: 'status', status: 502, when: 'before' },
    });
    for (let minute = 0; minute < 20; minute += 1) {
      later(MINUTE);
      await sweep.pass();
    }
    p.pocket.faults.disarm(fault);
    later(MINUTE);
    await sweep.pass();
    expect(missedCommands()).toHaveLength(1);
  });

  test('of a very large installation takes turns, and never leaves out what is driven', async () => {
    const asked: string[][] = [];
    const { scanner } = openSweepHarness(p);
    const garden = (index: number) => ({ owner: 'ada', repo: `garden-${index}` });
    const { sweep } = openSweepHarness(p, {
      scanner: {
        ...scanner,
        repositories: async () => Array.from({ length: 2500 }, (_, index) => garden(index)),
        scan: async (_, questions) => {
          asked.push(questions.map(({ repo }) => repo.repo));
          return questions.map(({ repo }) => {
            const ref = { ...repo, number: 1 };
            const driven = repo.repo === 'garden-7' ? [{ id: 'I_1', ref, updatedAt: 0 }] : [];
            return { kind: 'seen', repo, at: p.clock.now(), driven, changed: [], pulls: [] };
          });
        },
      },
    });
    for (let minute = 0; minute < 3; minute += 1) {
      await sweep.pass();
      later(MINUTE);
    }
    expect(new Set(asked.flat()).size).toBe(2500);
    expect(asked.map((names) => names.length)).toEqual([1000, 1001, 1000]);
    expect(asked.every((names) => names.includes('garden-7'))).toBe(true);
  });

  test('uses one token, which only reads', async () => {
    const { sweep, tokens } = openSweepHarness(p);
    await sweep.pass();
    later(MINUTE);
    await sweep.pass();
    expect(tokens.minted()).toBe(1);
    const { text } = await tokens.readerOf(p.installation.id);
    expect(p.pocket.world.tables.tokens.by('text', text)).toMatchObject([
      { permissions: { issues: 'read', metadata: 'read', pull_requests: 'read' } },
    ]);
  });
});

describe('deliveries that failed', () => {
  const deliveries = () => p.pocket.world.tables.deliveries.by('appId', p.app.id);

  test('are delivered again, each a few times', async () => {
    const { sweep } = openSweepHarness(p, { handlesEvent: (event) => event === 'issues' });
    p.receiver.answer(503);
    await issue();
    await p.pocket.settle();
    const failed = deliveries().length;
    for (let minute = 0; minute < 10; minute += 1) {
      later(MINUTE);
      await sweep.pass();
      await p.pocket.settle();
    }
    const again = deliveries().filter(({ redelivery }) => redelivery);
    expect(again.map(({ event }) => event)).toEqual(Array.from({ length: 3 * failed }, () => 'issues'));
    expect(new Set(again.map(({ guid }) => guid)).size).toBe(failed);
  });

  test('and get through are left alone', async () => {
    const { sweep } = openSweepHarness(p);
    p.receiver.answer(503);
    await issue();
    await p.pocket.settle();
    p.receiver.answer(200);
    for (let minute = 0; minute < 5; minute += 1) {
      later(MINUTE);
      await sweep.pass();
      await p.pocket.settle();
    }
    expect(deliveries().map(({ redelivery, statusCode }) => `${redelivery} ${statusCode}`)).toEqual([
      'false 503',
      'true 200',
    ]);
  });
});
