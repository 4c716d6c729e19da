import type { Agent } from '../../../../src/ports/agent.js';
import type { Clock } from '../../../../src/ports/clock.js';
import type { CrashWorld } from './crash-world.js';
import type { EndState } from './single-issue-fixture.js';

/** Something a person says in a comment on the issue. */
export interface ScriptedComment {
  readonly comment: string;
  /** Said once the world looks like this: asked whenever nothing is queued, and whenever an agent begins. Without, at once. */
  readonly when?: (world: CrashWorld) => boolean;
}

/**
 * A story the crash generator can cut anywhere.
 *
 * To add one: write such an object (PATCH and PULL in test/chaos/support/crash/scenarios.ts are the models) and call
 * `describeCrashes(YOURS, ['emptied', 'kept'])` in a test file of its own, so that it runs beside the others. An agent that waits,
 * fails or never ends comes in by `agent`, a person who stops or resumes by a second utterance with its `when`; a rest that is
 * no end, such as a pause, by `rests`. `wanted` is how it ends undisturbed: run it once and check what it says by hand.
 */
export interface CrashScenario {
  readonly name: string;
  /** Who thinks. Any instance may ask, so it must know nothing but its clone and its prompt. */
  readonly agent: (clock: Clock) => Agent;
  /** In order. GitHub delivers each until it was answered. */
  readonly comments: readonly ScriptedComment[];
  /** No webhook ever comes: there is the sweep, and nothing else. */
  readonly isSweptOnly?: boolean;
  /** How much time passes between two looks of the undisturbed run. */
  readonly stepMs?: number;
  /** Whether nothing more will happen. Without: the issue is closed, or given up. */
  readonly rests?: (world: CrashWorld) => boolean;
  readonly wanted: EndState;
  /** How it may end as well when a kill takes along what an agent has not handed over; never once it has. */
  readonly withoutWork?: EndState;
}
