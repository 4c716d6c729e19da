import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import { findOwnPull } from '../../domain/state/own-pull.js';
import type { IssueSnapshot, StateReading } from '../../domain/state/snapshot.js';
import { findSeals } from '../../domain/render/projection/seals-shown.js';
import type { PullHint, RawSnapshot, SnapshotHints } from '../../ports/github.js';
import type { StateSubject } from '../../ports/state-store.js';
import type { Observer } from '../engine.js';

const NO_HINTS: SnapshotHints = { base: null, landed: null, pull: null };

/** All facts about an issue; `null` when it is gone. Takes one request, or two when the hints from the last read are outdated. */
export async function observe(engine: Observer, ref: IssueRef): Promise<IssueSnapshot | null> {
  const hints = hintsFor(engine, ref);
  const raw = await engine.github.snapshot(ref, hints);
  return raw === null ? null : verifyAndRefresh(engine, raw, hints, true);
}

/** Verifies the snapshot a write returned, and reads again when its state shows that the query asked for the wrong things. */
export function resolveSnapshot(engine: Observer, raw: RawSnapshot, asked: SnapshotHints): Promise<IssueSnapshot> {
  return verifyAndRefresh(engine, raw, asked, false);
}

async function verifyAndRefresh(
  engine: Observer,
  raw: RawSnapshot,
  asked: SnapshotHints,
  isRead: boolean,
): Promise<IssueSnapshot> {
  const snapshot = await verifySnapshot(engine, raw);
  const wanted = rememberHints(engine, snapshot);
  const isSame = wanted.base === asked.base && wanted.landed === asked.landed;
  if (isSame && isPullAnswered(raw, wanted.pull, asked.pull, isRead)) return snapshot;
  const again = await engine.github.snapshot(raw.ref, wanted);
  return again === null ? snapshot : verifySnapshot(engine, again);
}

/** Whether an answer shows our pull request if GitHub has it. Only a read searches beyond the first page. */
function isPullAnswered({ pulls, pullsCut }: RawSnapshot, wanted: PullHint, asked: PullHint, isRead: boolean): boolean {
  const askedById = asked !== null && 'id' in asked ? asked.id : null;
  if (wanted === null) return askedById === null;
  if ('id' in wanted) return wanted.id === askedById || pulls.some(({ id }) => id === wanted.id);
  if (askedById !== null) return false;
  const isSearched = isRead && asked !== null;
  return isSearched || !pullsCut || pulls.some(({ number }) => number > wanted.newerThan);
}

/** Remembers what the next read has to ask for. */
export function rememberHints(engine: Observer, snapshot: IssueSnapshot): SnapshotHints {
  const wanted = wantedHints(snapshot.reading);
  engine.hints.set(formatIssue(snapshot.ref), wanted);
  return wanted;
}

export function hintsFor(engine: Observer, ref: IssueRef): SnapshotHints {
  return engine.hints.get(formatIssue(ref)) ?? NO_HINTS;
}

export function subjectOf(snapshot: Pick<IssueSnapshot, 'ref' | 'repositoryDatabaseId'>): StateSubject {
  return { ref: snapshot.ref, repositoryDatabaseId: snapshot.repositoryDatabaseId };
}

async function verifySnapshot(engine: Observer, raw: RawSnapshot): Promise<IssueSnapshot> {
  const { rawState, pulls, ...facts } = raw;
  const reading = await engine.states.read(subjectOf(raw), rawState, findSeals(raw.comments));
  const recorded = reading.kind === 'valid' ? reading.state.progress.pull : null;
  return { ...facts, reading, pull: findOwnPull(pulls, recorded) };
}

function wantedHints(reading: StateReading): SnapshotHints {
  if (reading.kind !== 'valid') return NO_HINTS;
  const { run, progress } = reading.state;
  const { pull, pushed, supersededPr } = progress;
  return {
    base: run?.options.base ?? null,
    landed: progress.landed?.oid ?? null,
    pull: pull ?? (pushed === null ? null : { newerThan: supersededPr }),
  };
}
