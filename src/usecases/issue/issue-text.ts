import { createHash } from 'node:crypto';
import { untickBoxes } from '../../domain/criteria/criterion.js';
import type { Actor, IssueSnapshot } from '../../domain/state/snapshot.js';
import type { RunRecord } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { Observer } from '../engine.js';
import { accessLevelOf } from './access-level.js';

/* The text of an issue: its hash, and who changed it since somebody vouched for it. */

/** The text that a person vouches for. A ticked box does not make it another text. */
export function authorisedText({ title, body }: Pick<IssueSnapshot, 'title' | 'body'>): RunRecord['authorised'] {
  return {
    title,
    body,
    hash: createHash('sha256')
      .update(`${title}\0${untickBoxes(body)}`)
      .digest('hex'),
  };
}

/** A text that no permitted person has vouched for. */
export interface UnvouchedText {
  /** Logins of those without permission who changed it. */
  readonly by: string;
  readonly hash: string;
}

/** Returns `null` when the text is vouched for: everybody whose change is in it must be permitted. Unknown editors are not. */
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

/** Whether somebody without permission has changed the text since the request. */
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

/** The logins of those who may not drive issues. */
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
