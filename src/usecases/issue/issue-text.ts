import { createHash } from 'node:crypto';
import { untickBoxes } from '../../domain/criteria/criterion.js';
import type { Actor, IssueSnapshot } from '../../domain/state/snapshot.js';
import type { RunRecord } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { Observer } from '../engine.js';
import { accessLevelOf } from './access-level.js';

/* The text of an issue: what it is recognised by, and who changed it since somebody vouched for it. */

/** The text of an issue as somebody vouches for it. Ticking a box says how far things are, which is no other text. */
export function authorisedText({ title, body }: Pick<IssueSnapshot, 'title' | 'body'>): RunRecord['authorised'] {
  return {
    title,
    body,
    hash: createHash('sha256')
      .update(`${title}\0${untickBoxes(body)}`)
      .digest('hex'),
  };
}

/** A text that nobody who may has vouched for. */
export interface UnvouchedText {
  /** Who changed it and may not: logins. */
  readonly by: string;
  readonly hash: string;
}

/** Everybody whose change is in the text has to be permitted. Who is not known is not. `null`: the text is vouched for. */
export async function unvouchedText(
  engine: Pick<Observer, 'github'>,
  snapshot: IssueSnapshot,
  authorised: RunRecord['authorised'],
): Promise<UnvouchedText | null> {
  const { title, body, editor, events } = snapshot;
  const { hash } = authorisedText(snapshot);
  if (hash === authorised.hash) return null;
  const editors: (Actor | null)[] = [];
  if (untickBoxes(body) !== untickBoxes(authorised.body)) editors.push(editor);
  if (title !== authorised.title) editors.push(events.findLast(({ kind }) => kind === 'renamed')?.actor ?? null);
  const outsiders = await withoutPermission(engine, snapshot, editors);
  return outsiders.length === 0 ? null : { by: outsiders.join(' and '), hash };
}

/** Whether the text is still the one that was there when it was asked for, or was changed only by people who could ask themselves. */
export async function isTextChanged(
  engine: Pick<Observer, 'github'>,
  snapshot: IssueSnapshot,
  since: Instant,
): Promise<boolean> {
  const { editor, editedAt, events } = snapshot;
  const renamed = events.filter(({ kind, at }) => kind === 'renamed' && at >= since).map(({ actor }) => actor);
  const editors = editedAt !== null && editedAt >= since ? [editor, ...renamed] : renamed;
  return (await withoutPermission(engine, snapshot, editors)).length > 0;
}

/** Those among them who may not drive issues, by name. */
async function withoutPermission(
  engine: Pick<Observer, 'github'>,
  { ref }: IssueSnapshot,
  actors: readonly (Actor | null)[],
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const actor of actors) {
    if (actor === null) names.add('somebody unknown');
    else if ((await accessLevelOf(engine, ref, actor)) !== 'write') names.add(actor.login);
  }
  return [...names];
}
