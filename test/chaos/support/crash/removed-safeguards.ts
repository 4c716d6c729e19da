import { stateRefName } from '../../../../src/domain/issue/ids.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import type { RawSnapshot } from '../../../../src/ports/github.js';
import type { StateStore } from '../../../../src/ports/state-store.js';
import { reconcile } from '../../../../src/usecases/reconcile/reconcile.js';
import type { Engine } from '../../../../src/usecases/engine.js';
import { acquireLease } from '../../../../src/usecases/phases/lease.js';
import { observe } from '../../../../src/usecases/issue/observe.js';
import { performPhase } from '../../../../src/usecases/phases/perform-phase.js';
import type { Damage } from './crash-run.js';
import type { CrashWorld } from './crash-world.js';

/* The safeguards, taken away one by one: the generator has to notice each. */

/** Writes the state whatever it is now: neither its place nor its epoch is compared. */
export const BLIND_SWAP: Damage = {
  breakEngine: (engine) => {
    const swap: StateStore['swap'] = async (wanted) => {
      const { ref } = wanted.subject;
      const name = stateRefName(ref.number);
      const tip = (await engine.gitHost.fetch(ref, [name])).get(name) ?? null;
      const now = tip === null ? null : await engine.states.read(wanted.subject, null);
      const epoch = Math.max(wanted.next.epoch, now?.kind === 'valid' ? now.state.epoch : 0);
      return engine.states.swap({ ...wanted, expected: tip, next: { ...wanted.next, epoch } });
    };
    const { states } = engine;
    const read: StateStore['read'] = (subject, raw, seals) => states.read(subject, raw, seals);
    return { ...engine, states: { read, history: (subject) => states.history(subject), swap } };
  },
};

/** Does not look for comments that were written before this instance was born. */
export function blindToComments(world: CrashWorld): Damage {
  return {
    breakEngine: (engine) => {
      const born = new Set(world.pocket.world.tables.comments.all().map(({ id }) => id));
      const blind = <T extends RawSnapshot | null>(snapshot: T): T =>
        snapshot === null
          ? snapshot
          : { ...snapshot, comments: snapshot.comments.filter(({ databaseId }) => !born.has(databaseId)) };
      const { github } = engine;
      return {
        ...engine,
        github: {
          ...github,
          snapshot: async (ref, hints) => blind(await github.snapshot(ref, hints)),
          project: async (snapshot, changes, hints) => blind(await github.project(snapshot, changes, hints)),
          openPull: async (snapshot, pull, hints) => blind(await github.openPull(snapshot, pull, hints)),
        },
      };
    },
  };
}

/** Writes however long ago it looked. */
export const LATE_WRITES: Damage = {
  breakEngine: (engine) => {
    const { github, clock } = engine;
    const young = (snapshot: IssueSnapshot): IssueSnapshot => ({ ...snapshot, knownAt: clock.now() });
    return {
      ...engine,
      github: {
        ...github,
        project: (snapshot, changes, hints) => github.project(young(snapshot), changes, hints),
        openPull: (snapshot, pull, hints) => github.openPull(young(snapshot), pull, hints),
        merge: (snapshot, merge, hints) => github.merge(young(snapshot), merge, hints),
      },
    };
  },
};

/** Runs the phase a job names without asking whether its evidence is there already. */
export const BLIND_PHASES: Damage = {
  breakHandlers: (handlers, engine: Engine) => ({
    wake: (ref) => handlers.wake(ref),
    phase: async ({ ref, phase }, signal) => {
      const seen = await observe(engine, ref);
      const lease = seen === null ? null : await acquireLease(engine, seen, phase, 'without asking');
      if (lease === null) return;
      const action = { kind: 'run', phase, attempt: 1, because: 'without asking' } as const;
      const around = { engine, snapshot: lease.snapshot(), phaseRun: lease.phaseRun, isLeaseLost: () => false };
      const result = await performPhase({ ...around, action, signal, outcomes: [], commits: [] });
      if (result.kind !== 'done') throw new Error(result.because);
      const { next, because, alongside = [] } = result;
      await lease.conclude((state) => ({ next: next(state), phase, because, alongside }));
      await reconcile(engine, ref);
    },
  }),
};
