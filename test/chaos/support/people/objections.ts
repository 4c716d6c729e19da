import { parseCommand } from '../../../../src/domain/commands/parse-command.js';
import { atLeast, isByWriter, latestOpinions, roleOf } from '#pocket-github/testing';
import { AUTHORISER, type Scene } from './people-scene.js';

/** What forbids a landing. */
export interface Objection {
  readonly why: string;
  /** Only about a pull request; a patch has neither reviews nor a head of its own to check. */
  readonly ofPull: boolean;
}

/** Everything on GitHub at this moment that forbids Sluice to land anything. */
export function objectionsNow(scene: Scene): readonly Objection[] {
  return [
    ...(scene.issue.state === 'closed' ? [general('the issue is closed')] : []),
    ...(scene.mayWrite(AUTHORISER) || isTakenOver(scene) ? [] : [general('the authoriser has lost the role')]),
    ...heldBack(scene).map(general),
    ...onPull(scene).map((why) => ({ why, ofPull: true })),
  ];
}

const general = (why: string): Objection => ({ why, ofPull: false });

function onPull(scene: Scene): readonly string[] {
  const pull = scene.openPull;
  if (pull === null) return [];
  const opinions = latestOpinions(scene.tables, pull).filter((review) => isByWriter(scene.tables, review));
  const requests = opinions.filter(({ state }) => state === 'CHANGES_REQUESTED');
  const red = scene.ciRuns(pull.headOid).filter(({ conclusion }) => conclusion === 'failure');
  return [
    ...requests.map(({ authorId }) => `${scene.tables.users.must(authorId).login} requests changes`),
    ...red.map(({ name }) => `${name} is red`),
  ];
}

/** What people said or did to hold the run back; a later word to go on takes it back. */
function heldBack(scene: Scene): readonly string[] {
  const last = wordsOf(scene).findLast(({ kind }) => kind !== 'role lost');
  return last?.kind === 'hold' ? [last.why] : [];
}

/** Somebody else has told the run to go on in their own name since the one who asked for it lost the role. */
function isTakenOver(scene: Scene): boolean {
  return wordsOf(scene).findLast(({ kind }) => kind !== 'hold')?.kind === 'go on';
}

type Word =
  | { readonly kind: 'go on' }
  | { readonly kind: 'hold'; readonly why: string }
  /** Whoever asked for the run may not write any more. */
  | { readonly kind: 'role lost' };

/** What people have said and done about whether to go on, oldest first. */
function wordsOf(scene: Scene): readonly Word[] {
  const { tables, issue } = scene;
  return tables.events.all().flatMap((event): readonly Word[] => {
    if (event.name === 'collaborator removed') return [{ kind: 'role lost' }];
    if (event.subjectId !== issue.id || event.viaAppId !== null) return [];
    if (event.name === 'reopened') return [{ kind: 'go on' }];
    if (event.name === 'labeled' && event.data.name.startsWith('phase/')) return [{ kind: 'go on' }];
    if (event.name === 'unlabeled' && event.data.name === 'auto/running')
      return [{ kind: 'hold', why: 'auto/running was taken away' }];
    return event.name === 'comment created' ? commandIn(scene, event.data.commentId) : [];
  });
}

function commandIn({ tables, repository, crash }: Scene, commentId: number): readonly Word[] {
  const said = tables.comments.get(commentId);
  if (said === undefined || !atLeast(roleOf(tables, repository, said.authorId), 'write')) return [];
  const parsed = parseCommand(said.body, crash.ref);
  if (parsed.kind !== 'command') return [];
  const { kind } = parsed.command;
  return [
    kind === 'stop' || kind === 'pause' ? { kind: 'hold', why: `somebody said /auto ${kind}` } : { kind: 'go on' },
  ];
}
