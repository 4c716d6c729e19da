import { formatIssue, type IssueRef } from '../domain/ids.js';
import type { IssueSnapshot, StateReading } from '../domain/snapshot.js';
import { sealsShown } from '../domain/words/seals-shown.js';
import type { RawSnapshot, SnapshotHints } from '../ports/github.js';
import type { StateSubject } from '../ports/state-store.js';
import type { Observer } from './engine.js';

const NO_HINTS: SnapshotHints = { base: null, landed: null };

/** All facts about an issue as they are now; `null` when it is gone. One request, two when the last look is outdated. */
export async function observe(engine: Observer, ref: IssueRef): Promise<IssueSnapshot | null> {
  const hints = hintsFor(engine, ref);
  const raw = await engine.github.snapshot(ref, hints);
  return raw === null ? null : complete(engine, raw, hints);
}

/** Checks the state a raw snapshot carries, and asks again if it says that the question was wrong. */
export async function complete(engine: Observer, raw: RawSnapshot, asked: SnapshotHints): Promise<IssueSnapshot> {
  const snapshot = await believed(engine, raw);
  const wanted = rememberHints(engine, snapshot);
  if (wanted.base === asked.base && wanted.landed === asked.landed) return snapshot;
  const again = await engine.github.snapshot(raw.ref, wanted);
  return again === null ? snapshot : believed(engine, again);
}

/** Writes down what the next look has to ask for. */
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

async function believed(engine: Observer, raw: RawSnapshot): Promise<IssueSnapshot> {
  const { rawState, ...facts } = raw;
  return { ...facts, reading: await engine.states.read(subjectOf(raw), rawState, sealsShown(raw.comments)) };
}

function wantedHints(reading: StateReading): SnapshotHints {
  if (reading.kind !== 'valid') return NO_HINTS;
  const { run, progress } = reading.state;
  return { base: run?.options.base ?? null, landed: progress.landed?.oid ?? null };
}
