import type { Action } from '../../../../src/domain/action/action.js';
import type { Size } from '../../../../src/domain/issue/size.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import type { Frozen } from '../crash/crash-world.js';
import type { QueueContents } from '../../../support/memory/memory-queue-store.js';
import type { ActionName } from './actions.js';
import type { Scene } from './people-scene.js';
import type { Boundary, Landing } from './people-interceptor.js';
import type { RecordingLog } from '../../../support/recording-log.js';

/** From where a story is told: GitHub and Redis as a phase is about to begin. */
export interface Chapter {
  readonly frozen: Frozen;
  readonly queue: QueueContents;
}

/** One thing that happens to Sluice. */
export interface Step {
  /** At which boundary: of the chapter for the first step, after the step before for all others. */
  readonly at: number;
  readonly what: ActionName | 'crash' | 'crash-and-flush';
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Whether a webhook tells of what people do, or only the sweep finds it. */
  readonly delivery: 'at once' | 'by the sweep';
}

/** What came of a plan. */
export interface Story {
  readonly scene: Scene;
  readonly boundaries: readonly Boundary[];
  readonly landings: readonly Landing[];
  /** Steps that could be done, with the place where they were. */
  readonly done: readonly string[];
  /** Acts that failed: a fault of the generator. */
  readonly trouble: readonly string[];
  /** Whether nothing moved any more within the bounded time. */
  readonly rests: boolean;
  readonly snapshot: IssueSnapshot | null;
  readonly action: Action | null;
  /** Whether the queue holds anything for later. */
  readonly isDue: boolean;
  readonly trace: readonly string[];
  readonly log: RecordingLog;
  /** Our open pull requests, at most at any time. */
  readonly mostPulls: number;
}

export interface StoryRequest {
  readonly size: Size;
  readonly chapter: Chapter;
  readonly plan: Plan;
  /** Told at each boundary, before anything is done there. */
  readonly onBoundary?: (boundary: Boundary, scene: Scene) => void;
  /** Told when a phase is about to begin; `false` ends the story there. */
  readonly onStart?: (chapter: () => Promise<Chapter>) => Promise<boolean>;
}
