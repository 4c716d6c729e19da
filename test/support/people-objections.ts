import { parseCommand } from '../../src/domain/command-parser.js';
import { atLeast, roleOf } from '../../src/pocket/github/identity/access.js';
import { isByWriter, latestOpinions } from '../../src/pocket/github/resources/reviews/decision.js';
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
    ...(scene.mayWrite(AUTHORISER) ? [] : [general('the authoriser has lost the role')]),
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

/** What people said or did to hold the run back, the last word first; a word to go on takes it back. */
function heldBack(scene: Scene): readonly string[] {
  const { tables, issue, repository } = scene;
  const events = tables.events.all().filter(({ subjectId, viaAppId }) => subjectId === issue.id && viaAppId === null);
  for (const event of events.toReversed()) {
    if (event.name === 'reopened') return [];
    if (event.name === 'labeled' && event.data.name.startsWith('phase/')) return [];
    if (event.name === 'unlabeled' && event.data.name === 'auto/running') return ['auto/running was taken away'];
    if (event.name !== 'comment created') continue;
    const said = tables.comments.get(event.data.commentId);
    if (said === undefined || !atLeast(roleOf(tables, repository, said.authorId), 'write')) continue;
    const command = parseCommand(said.body, { owner: scene.crash.ref.owner, repo: scene.crash.ref.repo });
    if (command.kind !== 'command') continue;
    const { kind } = command.command;
    if (kind === 'stop' || kind === 'pause') return [`somebody said /auto ${kind}`];
    return [];
  }
  return [];
}
