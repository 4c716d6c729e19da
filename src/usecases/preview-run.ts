import { placeOf, routeFor, sizeOf, stateOf } from '../domain/completion.js';
import type { IssueRef } from '../domain/ids.js';
import type { Phase } from '../domain/phase.js';
import { formatRoute, phasesOf } from '../domain/route.js';
import type { Size } from '../domain/size.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { Observer } from './engine.js';
import { begun, type StartRequest } from './start.js';

/** What a run would go through if it were started now. */
export interface RunPreview {
  readonly issue: IssueRef;
  readonly size: Size | null;
  readonly route: string;
  /** Still to come, in order. Triage may find another size, and with it another way. */
  readonly phases: readonly Phase[];
}

/** Starts a run in thought only. */
export async function previewRun(
  engine: Observer,
  snapshot: IssueSnapshot,
  request: StartRequest,
): Promise<RunPreview> {
  const { reading } = snapshot;
  const state = await begun(stateOf(snapshot), snapshot, request, engine);
  const oid = reading.kind === 'none' ? snapshot.base.head : reading.oid;
  const started: IssueSnapshot = { ...snapshot, reading: { kind: 'valid', state, oid } };
  const [size, route] = [sizeOf(started), routeFor(started)];
  const phases = phasesOf(route, size);
  const at = phases.indexOf(placeOf(started));
  return { issue: snapshot.ref, size, route: formatRoute(route), phases: phases.slice(Math.max(0, at)) };
}
