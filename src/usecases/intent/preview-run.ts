import { currentPhase, routeFor, sizeOf } from '../../domain/state/evidence.js';
import type { IssueRef } from '../../domain/issue/ids.js';
import type { Phase } from '../../domain/issue/phase.js';
import { formatRoute, phasesOf } from '../../domain/issue/route.js';
import type { Size } from '../../domain/issue/size.js';
import type { Observer } from '../engine.js';
import { previewStart, type StartRequest } from './start.js';

/** What a run would do if it started now. */
export interface RunPreview {
  readonly issue: IssueRef;
  readonly size: Size | null;
  readonly route: string;
  /** The phases to come, in order. Triage may find another size, and thus another route. */
  readonly phases: readonly Phase[];
}

/** Computes a start without writing anything; `null` when there is no such issue. */
export async function previewRun(engine: Observer, request: StartRequest): Promise<RunPreview | null> {
  const started = await previewStart(engine, request);
  if (started === null) return null;
  const [size, route] = [sizeOf(started), routeFor(started)];
  const phases = phasesOf(route, size);
  const at = phases.indexOf(currentPhase(started));
  return { issue: started.ref, size, route: formatRoute(route), phases: phases.slice(Math.max(0, at)) };
}
