import { afterEach, describe, expect, test } from '@jest/globals';
import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import { seedCollaborator, seedRepository } from '#pocket-github/testing';
import { handleEvent } from '../../../src/usecases/commands/handle-event.js';
import { requeueOnTransient } from '../../../src/usecases/reconcile/requeue.js';
import { standardAgent } from '../../support/agent/standard-agent.js';
import { loadListeners } from '../../support/service/app-listeners.js';
import { type EngineInstance, startEngineInstance } from '../../support/service/engine-instance.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { MemoryQueueStore } from '../../support/memory/memory-queue-store.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { passTime } from '../../support/github/pass-time.js';
import { answerInProcess } from '#pocket-github/test/in-process-git';
import { RecordingLog } from '../../support/recording-log.js';
import { MemoryInbox } from '../../support/memory/memory-inbox.js';

/* Two hundred people who ask at once (G1). In by webhook; the manual clock says how long it takes. */

const MANY = 200;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let p: TestPocket;
freshPocketEachTest(
  (pocket) => {
    p = pocket;
  },
  async (pocket) => {
    answerInProcess(pocket.pocket.world.git(pocket.repository.id));
    for (let number = 1; number <= MANY + 1; number += 1)
      await pocket
        .rest('wren')
        .rest.issues.create({ ...pocket.at, title: `Do the work ${number}`, body: 'Write it down.' });
  },
);
const instances: EngineInstance[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.end();
});

/** Sluice with an inbox that waits for named times, as the real one does, and a line of starts, of which none is due. */
async function atWork() {
  const log = new RecordingLog();
  const instance = await startEngineInstance(p, {
    agent: (clock) => standardAgent(clock, 'XS'),
    store: new MemoryQueueStore(),
    log,
    breakEngine: (engine) => ({
      ...engine,
      requestQuota: {
        ...engine.requestQuota,
        reserveStart: async ({ number }: IssueRef) => p.clock.now() + number * 30 * MINUTE + 60 * MINUTE,
      },
    }),
    breakHandlers: (handlers, engine) => {
      const lookAgain = requeueOnTransient(engine);
      return { ...handlers, wake: (ref) => lookAgain(ref, () => handlers.wake(ref)) };
    },
  });
  instances.push(instance);
  const inbox = new MemoryInbox(p.clock, (event) => handleEvent(instance.engine, event));
  const listeners = loadListeners({ accountId: p.app.botId, appId: p.app.id });
  const heard = { count: p.receiver.received.length };
  return {
    inbox,
    log,
    /** Lets time pass second by second, while webhooks are handled and waiting work continues. */
    pass: async (ms: number, step = SECOND) => {
      for (let passed = 0; passed < ms; passed += step) {
        for (const { event, payload } of (await p.deliveries()).slice(heard.count)) {
          heard.count += 1;
          for (const parsed of await listeners.parse(event, payload)) inbox.add(parsed);
        }
        await passTime(p, step);
      }
    },
  };
}

const ask = (number: number, at: { owner: string; repo: string } = p.at) =>
  p.rest('wren').rest.issues.createComment({ ...at, issue_number: number, body: '/auto' });

const requestsSince = (seq: number) =>
  p.pocket.journal
    .requests(seq)
    .filter(
      ({ surface, tokenKind, operation, actor }) =>
        surface !== 'git' &&
        tokenKind === 'installation' &&
        actor.startsWith('sluice') &&
        !/access_tokens/.test(operation),
    );

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** When we first said something on an issue, or to a comment there. */
function firstWords(ref: IssueRef): {
  readonly reaction: number | null;
  readonly status: string | null;
  readonly shownAt: number | null;
} {
  const { tables } = p.pocket.world;
  const repository = tables.repositories.all().find(({ name }) => name === ref.repo);
  const issue = tables.issues.all().find((one) => one.repositoryId === repository?.id && one.number === ref.number);
  const comments = tables.comments.all().filter(({ issueId }) => issueId === issue?.id);
  const commands = new Set(comments.filter(({ body }) => body === '/auto').map(({ id }) => id));
  const reactions = tables.reactions
    .all()
    .filter((one) => commands.has(one.subjectId) && one.userId === p.app.botId)
    .map(({ createdAt }) => createdAt);
  const status = comments.find(({ authorId }) => authorId === p.app.botId);
  return {
    reaction: reactions.length === 0 ? null : Math.min(...reactions),
    status: status?.body ?? null,
    shownAt: status?.createdAt ?? null,
  };
}

describe('two hundred commands at once', () => {
  test('are all acknowledged within a minute, none is given up, and each costs hardly more than alone', async () => {
    const harness = await atWork();
    // Alone, once the repository has its labels.
    await ask(MANY + 1);
    await harness.pass(5 * SECOND);
    await passTime(p, 61 * MINUTE);
    const before = p.pocket.journal.lastSeq();
    await ask(MANY);
    await harness.pass(5 * SECOND);
    const alone = requestsSince(before).length;
    await passTime(p, 61 * MINUTE);

    const seq = p.pocket.journal.lastSeq();
    const start = p.clock.now();
    const numbers = Array.from({ length: MANY - 1 }, (_, index) => index + 1);
    for (const number of numbers) await ask(number);
    await harness.pass(6 * MINUTE);
    const words = () => numbers.map((number) => firstWords({ ...p.at, number }));
    const late = words().map(({ reaction }) => ((reaction ?? Infinity) - start) / SECOND);
    await harness.pass(70 * MINUTE, 10 * SECOND);

    const each = requestsSince(seq).length / numbers.length;
    const shown = words().filter(({ shownAt }) => shownAt !== null);
    const figures = {
      alone,
      each: Math.round(each * 100) / 100,
      by: countBy(requestsSince(seq).map(({ operation }) => operation)),
      inOneMinute: late.filter((seconds) => seconds <= 60).length,
      lastSeconds: Math.max(...late),
      waits: harness.inbox.waits,
      failures: harness.inbox.failures.length,
      shown: shown.length,
      lastShownMinutes: Math.round(Math.max(...words().map(({ shownAt }) => (shownAt ?? Infinity) - start)) / MINUTE),
    };
    process.stderr.write(`${JSON.stringify(figures)}\n`);
    expect(harness.inbox.failures).toEqual([]);
    expect(harness.log.said('job failed')).toEqual([]);
    expect(figures.lastSeconds).toBeLessThanOrEqual(60);
    expect(shown).toHaveLength(numbers.length);
    for (const { status } of shown) expect(status).toMatch(/Waiting for .*UTC/s);
    expect(each).toBeLessThanOrEqual(alone * 1.2);
  });

  test('in one repository do not make another one wait for all of them', async () => {
    const { world } = p.pocket;
    const harbor = await seedRepository(world, {
      owner: p.users.ada,
      name: 'harbor',
      files: { 'README.md': '# Harbor\n' },
    });
    seedCollaborator(world, harbor, p.users.wren, 'write');
    const at = { owner: 'ada', repo: 'harbor' };
    await p.rest('wren').rest.issues.create({ ...at, title: 'Do the work', body: 'Write it down.' });
    const harness = await atWork();
    for (let number = 1; number <= 150; number += 1) await ask(number);
    await harness.pass(2 * SECOND);
    const asked = p.clock.now();
    await ask(1, at);
    await harness.pass(2 * MINUTE);
    const { reaction } = firstWords({ ...at, number: 1 });
    expect(((reaction ?? Infinity) - asked) / SECOND).toBeLessThanOrEqual(75);
    const waiting = Array.from({ length: 150 }, (_, index) => firstWords({ ...p.at, number: index + 1 }));
    expect(waiting.filter(({ reaction: at }) => at === null || at > (reaction ?? 0)).length).toBeGreaterThan(0);
    expect(harness.inbox.failures.map((error) => `${formatIssue({ ...at, number: 1 })} ${String(error)}`)).toEqual([]);
  });
});
