import { afterEach, describe, expect, test } from '@jest/globals';
import type { CrashScenario } from '../support/crash/crash-scenario.js';
import type { Fault } from '#pocket-github';
import type { JobHandlers } from '../../../src/ports/queue.js';
import { requeueOnTransient } from '../../../src/usecases/reconcile/requeue.js';
import { handleEvent } from '../../../src/usecases/commands/handle-event.js';
import { type EngineInstance, startEngineInstance } from '../../support/service/engine-instance.js';
import { CrashWorld } from '../support/crash/crash-world.js';
import { MemoryQueueStore } from '../../support/memory/memory-queue-store.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openSweepHarness, type SweepHarness } from '../../support/service/sweep-harness.js';
import { PATCH, PULL } from '../support/crash/scenarios.js';

/* No webhook is delivered here: after the `/auto` comment everything is done by the sweep. */

const MINUTE = 60_000;
/** For a busy machine; nothing is decided by time. */
const LIMIT_MS = 5 * MINUTE;

interface Service {
  readonly world: CrashWorld;
  readonly instance: EngineInstance;
  readonly harness: SweepHarness;
}

const open: Service[] = [];
afterEach(async () => {
  for (const { world, instance } of open.splice(0)) {
    await instance.end();
    await world.close();
  }
});

async function serve({ agent, comments }: CrashScenario): Promise<Service> {
  const world = await CrashWorld.open();
  for (const { comment } of comments) await world.say(comment);
  const breakHandlers = (handlers: JobHandlers, engine: EngineInstance['engine']): JobHandlers => {
    const lookAgain = requeueOnTransient(engine);
    return {
      wake: (ref) => lookAgain(ref, () => handlers.wake(ref)),
      phase: (job, signal) => lookAgain(job.ref, () => handlers.phase(job, signal)),
    };
  };
  const instance = await startEngineInstance(world, {
    agent,
    store: new MemoryQueueStore(),
    log: new RecordingLog(),
    breakHandlers,
  });
  const harness = openSweepHarness(world, {
    wake: (ref) => instance.queue.wake(ref),
    handleCommand: (command) => handleEvent(instance.engine, command),
  });
  const service = { world, instance, harness };
  open.push(service);
  return service;
}

/** A minute passes, with a look of the sweep. What falls due meanwhile is done. */
async function minute({ world, instance, harness }: Service): Promise<void> {
  await harness.sweep.pass();
  for (let quarter = 0; quarter < 4; quarter += 1) {
    await instance.queue.idle();
    await world.pocket.settle();
    world.clock.advance(MINUTE / 4);
  }
}

async function untilRest(service: Service, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes && !service.world.atRest(); passed += 1) await minute(service);
}

describe('with every webhook lost', () => {
  test.each([PATCH, PULL])(
    'the sweep alone drives an issue to its end: $name',
    async (scenario) => {
      const { wanted } = scenario;
      const service = await serve(scenario);
      await untilRest(service, 60);
      expect(await service.world.end()).toEqual(wanted);
      expect(service.world.pocket.journal.unmodelled()).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('with a GitHub that fails', () => {
  const failing = (when: 'before' | 'after', surface: 'rest' | 'graphql'): Fault => ({
    on: 'request',
    match: { surface },
    occurrence: { chance: 0.15 },
    effect: { kind: 'status', status: 502, when },
  });

  test.each([PATCH, PULL])(
    'thirty times in a hundred, half of them after it did it, nothing is there twice: $name',
    async (scenario) => {
      const { wanted } = scenario;
      const service = await serve(scenario);
      const { faults } = service.world.pocket;
      for (const surface of ['rest', 'graphql'] as const)
        for (const when of ['before', 'after'] as const) faults.arm(failing(when, surface));
      await untilRest(service, 10);
      faults.clear();
      await untilRest(service, 60);
      await minute(service);
      expect(await service.world.end()).toEqual(wanted);
    },
    LIMIT_MS,
  );

  const SHOWN = new Set(['comment created', 'comment deleted', 'labeled', 'unlabeled', 'check run created']);

  /** Everything we put on the issue or took off it, in order. */
  const shown = ({ world }: Service): string[] =>
    world.pocket.world.tables.events
      .all()
      .filter(({ name, viaAppId }) => viaAppId !== null && SHOWN.has(name))
      .map(({ name, data }) => ('name' in data ? `${name} ${data.name}` : name));

  test(
    'or answers from a while ago, nothing is there twice and no label comes and goes',
    async () => {
      const prompt = await serve(PULL);
      await untilRest(prompt, 60);
      const late = await serve(PULL);
      late.world.pocket.faults.arm({
        on: 'request',
        match: { operation: 'IssueSnapshot' },
        occurrence: { chance: 0.5 },
        effect: { kind: 'stale', lagMs: 8_000 },
      });
      await untilRest(late, 90);
      expect(await late.world.end()).toEqual(PULL.wanted);
      expect(shown(late)).toEqual(shown(prompt));
    },
    LIMIT_MS,
  );

  test(
    'or has had enough for the hour, everything waits and goes on by itself',
    async () => {
      const service = await serve(PATCH);
      const { pocket } = service.world;
      await minute(service);
      pocket.faults.arm({
        on: 'request',
        match: { surface: 'graphql', actor: 'sluice-dev*' },
        occurrence: { nth: 1 },
        effect: { kind: 'primary-limit' },
      });
      await untilRest(service, 3);
      const seq = pocket.journal.lastSeq();
      await untilRest(service, 30);
      expect(pocket.journal.requests(seq).filter(({ surface }) => surface === 'graphql')).toEqual([]);
      await untilRest(service, 60);
      expect(await service.world.end()).toEqual(PATCH.wanted);
    },
    LIMIT_MS,
  );
});
