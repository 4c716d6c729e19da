import { isDone, placeOf, stateOf } from '../domain/completion.js';
import { stopsSaid } from '../domain/heard.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { Wish } from '../domain/state.js';
import type { Engine } from './engine.js';
import { standingOf } from './permission.js';
import { swapState } from './swap.js';

/** A stop or a pause that was said before there was anything to stop is not lost: it is read off the issue. */
export async function hearStop(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const state = stateOf(snapshot);
  if (state.halt !== null || isDone(snapshot) || state.wish?.kind === 'stop') return snapshot;
  const wish = await saidBySomebody(engine, snapshot);
  if (wish === null) return snapshot;
  const because = wish.kind === 'stop' ? wish.because : `${wish.by} asked to pause`;
  const swapped = await swapState(engine, snapshot, { next: { ...state, wish }, phase: placeOf(snapshot), because });
  if (swapped.kind === 'swapped') return swapped.snapshot;
  await engine.queue.wake(snapshot.ref);
  return null;
}

/** The last of them by somebody who may, a stop before any pause; `null` when it has been noted. */
async function saidBySomebody(engine: Engine, snapshot: IssueSnapshot): Promise<Wish | null> {
  const { wish } = stateOf(snapshot);
  let pause: Wish | null = null;
  for (const { kind, actor, at } of stopsSaid(snapshot).toReversed()) {
    if (kind === 'pause' && (pause !== null || wish !== null)) continue;
    if ((await standingOf(engine, snapshot.ref, actor)) !== 'drives') continue;
    const by = actor.login;
    if (kind === 'stop') return { kind, by, at, because: `${by} asked to stop` };
    pause = { kind, by, at };
  }
  return pause;
}
