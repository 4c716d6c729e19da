import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobHandlers } from '../../../../src/ports/queue.js';
import type { PortInterceptor } from '../../../support/service/port-interceptor.js';
import { type Objection, objectionsNow } from './objections.js';
import { BASE, type Scene } from './people-scene.js';

/** A place between two steps of Sluice where somebody may act: a request or a push is about to leave, or an agent is at work. */
export interface Boundary {
  /** From one, in the order they are met. */
  readonly index: number;
  /** What it belongs to and what is about to happen, e.g. `phase code: github.snapshot`. */
  readonly name: string;
}

/** Work of ours that came to base, and what stood against it when we looked last. */
export interface Landing {
  readonly how: 'merge' | 'patch';
  readonly head: string;
  readonly against: readonly string[];
}

interface Job {
  readonly kind: 'wake' | 'phase' | 'event';
  readonly name: string;
  /** What stood in the way when this job last asked GitHub about the issue. */
  look: readonly Objection[];
  /** What stood in the way when an agent or a test of this job last ended: a look is owed after it. */
  work: readonly Objection[];
  /** What stood in the way when the write itself left. */
  write: readonly Objection[];
}

interface Within {
  readonly job: Job;
  readonly call: string;
  /** How far GitHub's journal was when this call last stood at a boundary. */
  seq: number;
}

const LOOKS = new Set(['github.snapshot', 'github.project', 'github.openPull']);
const WORK = /^(agent|clone|workspace)\./;
const WRITES = new Set(['github.merge', 'states.swap', 'gitHost.push']);

/** Nothing of a dead instance goes on. */
const never = (): Promise<never> => new Promise(() => undefined);

/** Sees every step of Sluice, lets people act in between, and notes what was known when something landed. */
export class PeopleInterceptor implements PortInterceptor {
  readonly boundaries: Boundary[] = [];
  readonly landings: Landing[] = [];
  /** Everything in order, for whoever has to find out what happened. */
  readonly trace: string[] = [];
  readonly #scene: Scene;
  readonly #onBoundary: (boundary: Boundary) => Promise<void>;
  readonly #onStart: () => Promise<void>;
  readonly #within = new AsyncLocalStorage<Within | undefined>();
  readonly #wakes = new Set<Promise<void>>();
  #landed: number;
  #calls = 0;
  #isDead = false;

  constructor(scene: Scene, parts: { onBoundary: PeopleInterceptor['act']; onStart?: () => Promise<void> }) {
    this.#scene = scene;
    this.#onBoundary = parts.onBoundary;
    this.#onStart = parts.onStart ?? (async () => undefined);
    this.#landed = this.#landingEvents().length;
  }

  /** What happens at a boundary. */
  readonly act = (boundary: Boundary): Promise<void> => this.#onBoundary(boundary);

  /** From here on this instance is dead. */
  kill(): void {
    this.#isDead = true;
  }

  /** Calls that have begun and not ended. */
  get busy(): number {
    return this.#calls;
  }

  /** Whether the step that is under way belongs to a look at the issue, which a second look only follows. */
  get isWake(): boolean {
    return this.#within.getStore()?.job.kind === 'wake';
  }

  /** Does something that is no part of the step under way, although that waits for it. */
  outside<T>(task: () => Promise<T>): Promise<T> {
    return this.#within.run(undefined, task);
  }

  /** Until nobody looks at the issue. */
  async wakesOver(): Promise<void> {
    while (this.#wakes.size > 0) await Promise.all(this.#wakes);
  }

  readonly handlers = (handlers: JobHandlers): JobHandlers => ({
    wake: async (ref) => {
      const over = this.#inJob('wake', 'wake', () => handlers.wake(ref));
      const quiet = over.catch(() => undefined);
      this.#wakes.add(quiet);
      await over.finally(() => this.#wakes.delete(quiet));
    },
    phase: (job, signal) => this.#inJob('phase', `phase ${job.phase}`, () => handlers.phase(job, signal)),
  });

  async aroundCall<T>(call: string, task: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    const job = this.#within.getStore()?.job ?? { kind: 'event', name: 'event', look: [], work: [], write: [] };
    if (call === 'queue.startPhase') await this.#onStart();
    return this.#within.run({ job, call, seq: -1 }, async () => {
      // Others go on while an agent works, and so may people; requests are met one by one, within.
      if (call === 'agent.run') await this.#meet();
      if (call === 'gitHost.fetch') await this.#meet();
      if (this.#isDead) return never();
      if (call !== 'agent.run') this.#calls += 1;
      try {
        const result = await task();
        this.trace.push(`${job.name}: ${call}`);
        return result;
      } catch (error) {
        this.trace.push(`${job.name}: ${call} failed: ${String(error)}`);
        throw error;
      } finally {
        if (call !== 'agent.run') this.#calls -= 1;
        if (WORK.test(call)) job.work = objectionsNow(this.#scene);
        if (WRITES.has(call)) this.#noteLandings(job);
      }
    });
  }

  async beforeRequest(): Promise<void> {
    if (this.#isDead) return never();
    const within = this.#within.getStore();
    if (within === undefined) return;
    const { call, job, seq } = within;
    // Two questions for the token of one request are one boundary.
    const now = this.#scene.crash.pocket.journal.lastSeq();
    if (now !== seq) {
      within.seq = now;
      this.#calls -= 1;
      await this.#meet();
      this.#calls += 1;
    }
    if (LOOKS.has(call)) job.look = objectionsNow(this.#scene);
    if (WRITES.has(call)) job.write = objectionsNow(this.#scene);
    if (this.#isDead) return never();
  }

  async #meet(): Promise<void> {
    const { call, job } = this.#within.getStore() ?? {};
    const boundary = { index: this.boundaries.length + 1, name: `${job?.name}: ${call}` };
    this.boundaries.push(boundary);
    await this.#onBoundary(boundary);
  }

  #inJob(kind: Job['kind'], name: string, task: () => Promise<void>): Promise<void> {
    return this.#within.run({ job: { kind, name, look: [], work: [], write: [] }, call: '', seq: -1 }, task);
  }

  #noteLandings({ look, work, write }: Job): void {
    for (const { how, head } of this.#landingEvents().slice(this.#landed)) {
      // What was taken back in time does not count, and what came after the last look could not be known.
      const known = new Set([...look, ...work].map(({ why }) => why));
      const standing = write.filter(({ why, ofPull }) => known.has(why) && (how === 'merge' || !ofPull));
      const against = standing.map(({ why }) => why);
      this.landings.push({ how, head, against });
      this.trace.push(`LANDED ${how} ${head}${against.length > 0 ? ` against ${against.join(', ')}` : ''}`);
      this.#landed += 1;
    }
  }

  /** What we brought to base so far. */
  #landingEvents(): readonly Omit<Landing, 'against'>[] {
    const { tables, crash } = this.#scene;
    return tables.events.all().flatMap((event): readonly Omit<Landing, 'against'>[] => {
      if (event.viaAppId !== crash.app.id) return [];
      if (event.name === 'merged') {
        const pull = tables.pulls.all().find(({ issueId }) => issueId === event.subjectId);
        return [{ how: 'merge', head: pull?.headOid ?? '' }];
      }
      const isMerge = tables.pulls
        .all()
        .some((pull) => event.name === 'pushed' && pull.mergeCommitOid === event.data.after);
      if (event.name !== 'pushed' || event.data.ref !== `refs/heads/${BASE}` || isMerge) return [];
      return [{ how: 'patch', head: event.data.after ?? '' }];
    });
  }
}
