import type { GitHubEvent } from '../../../../src/domain/intent/github-event.js';
import { formatIssue, stateRefName } from '../../../../src/domain/issue/ids.js';
import { findRef } from '#pocket-github/testing';
import { decideNext } from '../../../../src/usecases/reconcile/reconcile.js';
import { handleEvent } from '../../../../src/usecases/commands/handle-event.js';
import { observe } from '../../../../src/usecases/issue/observe.js';
import { type EngineInstance, startEngineInstance } from '../../../support/service/engine-instance.js';
import type { CrashWorld } from '../crash/crash-world.js';
import { createSweeper } from '../crash/crash-sweep.js';
import { MemoryAccountStore } from '../../../support/memory/memory-model-account.js';
import { MemoryQueueStore } from '../../../support/memory/memory-queue-store.js';
import { ACTIONS } from './actions.js';
import { additiveAgent } from './additive-agent.js';
import { Scene } from './people-scene.js';
import type { Step, Story, StoryRequest } from './story.js';
import { type Boundary, PeopleInterceptor } from './people-interceptor.js';
import { RecordingLog } from '../../../support/recording-log.js';

const MANY_ROUNDS = 60;
const ROUND_MS = 5 * 60_000;
/** Rounds without a change after which nothing is expected any more: with nothing due, and with something due. */
const QUIET = 2;
const QUIET_WHEN_DUE = 8;
/** How soon whoever works on an issue looks whether somebody wants something of it. */
const NOTICED_MS = 6_000;

/** Plays a plan from a chapter on until the issue rests. */
export async function playStory(world: CrashWorld, request: StoryRequest): Promise<Story> {
  await world.thaw(request.chapter.frozen);
  const player = new StoryPlayer(world, request);
  try {
    await player.play();
    return await player.story();
  } finally {
    await player.end();
  }
}

class StoryPlayer {
  readonly #world: CrashWorld;
  readonly #request: StoryRequest;
  readonly #scene: Scene;
  readonly #log = new RecordingLog();
  readonly #done: string[] = [];
  readonly #trouble: string[] = [];
  readonly #interceptors: PeopleInterceptor[] = [];
  readonly #books = new MemoryAccountStore();
  #steps: readonly Step[];
  #passed = 0;
  #store: MemoryQueueStore;
  #life: {
    readonly instance: EngineInstance;
    readonly interceptor: PeopleInterceptor;
    readonly sweep: () => Promise<void>;
  } | null = null;
  /** Until the instance that is being started is there. */
  #ready: Promise<void> = Promise.resolve();
  #isActing = false;
  #rests = false;
  #mostPulls = 0;
  #interrupt: (why: 'killed' | 'told') => void = () => undefined;

  constructor(world: CrashWorld, request: StoryRequest) {
    this.#world = world;
    this.#request = request;
    this.#scene = new Scene(world);
    this.#steps = request.plan.steps;
    this.#store = MemoryQueueStore.of(request.chapter.queue);
    // Whoever was about to start a phase had looked at the issue: that look is repeated, and nothing runs beside it.
    this.#store.add('wake', { issue: formatIssue(world.ref), data: world.ref });
  }

  async play(): Promise<void> {
    for (let lives = 0; lives < 5; lives += 1) {
      const interrupted = new Promise<'killed' | 'told'>((resolve) => (this.#interrupt = resolve));
      await this.#begin();
      const ending = await Promise.race([interrupted, this.#untilRest()]);
      if (ending !== 'killed') return;
      await this.end();
    }
  }

  async story(): Promise<Story> {
    const { instance } = this.#alive();
    this.#isActing = true;
    const snapshot = this.#rests ? await observe(instance.engine, this.#world.ref) : null;
    return {
      scene: this.#scene,
      boundaries: this.#interceptors.flatMap(({ boundaries }) => boundaries),
      landings: this.#interceptors.flatMap(({ landings }) => landings),
      done: this.#done,
      trouble: this.#trouble,
      rests: this.#rests,
      snapshot,
      action: snapshot === null ? null : await decideNext(instance.engine, snapshot),
      isDue: this.#store.earliestDue() !== null,
      trace: this.#interceptors.flatMap(({ trace }) => trace),
      log: this.#log,
      mostPulls: Math.max(this.#mostPulls, this.#openPulls()),
    };
  }

  async end(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    life?.interceptor.kill();
    await life?.instance.end();
  }

  async #begin(): Promise<void> {
    const interceptor = new PeopleInterceptor(this.#scene, {
      onBoundary: (boundary) => this.#meet(boundary),
      onStart: () => this.#started(),
    });
    this.#interceptors.push(interceptor);
    const ready = new Promise<() => void>((tellMe) => {
      this.#ready = new Promise((resolve) => tellMe(resolve));
    });
    const instance = await startEngineInstance(this.#world, {
      agent: (clock) => additiveAgent(this.#scene, clock, this.#request.size),
      store: this.#store,
      accountStore: this.#books,
      log: this.#log,
      interceptor,
      breakHandlers: interceptor.handlers,
      // The repository lists its check: a red one is worked on.
      breakEngine: (engine) => ({
        ...engine,
        policyFor: async (snapshot) => ({ ...(await engine.policyFor(snapshot)), expectedChecks: ['test'] }),
      }),
    });
    this.#life = { instance, interceptor, sweep: createSweeper(this.#world, instance) };
    (await ready)();
  }

  async #untilRest(): Promise<'rests'> {
    const { instance, sweep } = this.#alive();
    let [quiet, before] = [0, ''];
    for (let round = 0; round < MANY_ROUNDS; round += 1) {
      await instance.queue.idle();
      await this.#world.pocket.settle();
      const now = this.#fingerprint();
      quiet = now === before ? quiet + 1 : 0;
      before = now;
      const [step] = this.#steps;
      if (quiet > 1 && step !== undefined) {
        await this.#take(step, 'at rest');
        quiet = 0;
        continue;
      }
      if (quiet >= (this.#store.earliestDue() === null ? QUIET : QUIET_WHEN_DUE)) {
        this.#rests = true;
        return 'rests';
      }
      // The first round is what was under way anyway; from then on somebody looks after it.
      if (round === 0) continue;
      this.#world.clock.advance(ROUND_MS);
      if (this.#needsSweep()) await sweep();
      else await instance.queue.wake(this.#world.ref);
    }
    return 'rests';
  }

  async #meet(boundary: Boundary): Promise<void> {
    await this.#ready;
    this.#mostPulls = Math.max(this.#mostPulls, this.#openPulls());
    if (this.#isActing) return;
    this.#request.onBoundary?.(boundary, this.#scene);
    this.#passed += 1;
    const [step] = this.#steps;
    if (step === undefined || this.#passed < step.at) return;
    await this.#take(step, boundary.name);
  }

  async #take(step: Step, where: string): Promise<void> {
    this.#steps = this.#steps.slice(1);
    this.#passed = 0;
    const { interceptor } = this.#alive();
    if (step.what === 'crash' || step.what === 'crash-and-flush') return this.#crash(step.what, where);
    const act = ACTIONS[step.what];
    if (!act.applies(this.#scene)) return;
    this.#isActing = true;
    this.#done.push(`${step.what} @ ${where}`);
    interceptor.trace.push(`>>> ${step.what} @ ${where}`);
    try {
      const event = await act.perform(this.#scene);
      await this.#world.pocket.settle();
      if (this.#request.plan.delivery === 'at once')
        await this.#deliverWebhook(event ?? { kind: 'touched', ref: this.#world.ref });
      if (where.endsWith('agent.run')) await this.#workOn();
    } catch (error) {
      this.#trouble.push(`${step.what}: ${String(error)}`);
    }
    this.#isActing = false;
  }

  /** The webhook arrives, and whatever a look leads to is over before we go on; within a look, it comes after it. */
  async #deliverWebhook(event: GitHubEvent): Promise<void> {
    const { instance, interceptor } = this.#alive();
    const { isWake } = interceptor;
    await interceptor.outside(() => handleEvent(instance.engine, event));
    if (!isWake) await interceptor.wakesOver();
  }

  /** The agent goes on for a while: long enough for whoever watches over it to notice. */
  async #workOn(): Promise<void> {
    const { interceptor } = this.#alive();
    this.#world.clock.advance(NOTICED_MS);
    for (let calm = 0; calm < 20; calm += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (interceptor.busy > 0) calm = 0;
    }
  }

  async #crash(how: 'crash' | 'crash-and-flush', where: string): Promise<void> {
    const { interceptor } = this.#alive();
    this.#done.push(`${how} @ ${where}`);
    interceptor.trace.push(`>>> ${how} @ ${where}`);
    interceptor.kill();
    this.#store = how === 'crash' ? MemoryQueueStore.of(this.#store.contents()) : new MemoryQueueStore();
    this.#interrupt('killed');
    await new Promise(() => undefined);
  }

  async #started(): Promise<void> {
    const { onStart } = this.#request;
    if (onStart === undefined) return;
    const goesOn = await onStart(async () => ({
      frozen: await this.#world.freeze(),
      queue: { jobs: [], due: this.#store.contents().due },
    }));
    if (goesOn) return;
    this.#alive().interceptor.kill();
    this.#interrupt('told');
  }

  /** As long as webhooks are heard and nobody dies, all the sweep would do is to have the issue looked at. */
  #needsSweep(): boolean {
    const { steps, delivery } = this.#request.plan;
    const begun = findRef(this.#scene.tables, this.#scene.repository.id, stateRefName(this.#world.ref.number));
    return begun === undefined || delivery === 'by the sweep' || steps.some(({ what }) => what.startsWith('crash'));
  }

  #openPulls(): number {
    return this.#scene.pulls.filter((pull) => this.#scene.isOpen(pull)).length;
  }

  /** Changes with everything anybody could see. */
  #fingerprint(): string {
    const { tables } = this.#scene;
    const refs = tables.refs.all().map(({ name, oid }) => `${name} ${oid}`);
    const comments = tables.comments.all().map(({ id, body }) => `${id} ${body.length}`);
    return [tables.events.all().length, tables.reactions.all().length, ...refs, ...comments].join('\n');
  }

  #alive() {
    if (this.#life === null) throw new Error('nobody is alive');
    return this.#life;
  }
}
