import { isDone, stateOf } from '../../../../src/domain/state/evidence.js';
import type { Halt } from '../../../../src/domain/state/state.js';
import { WORK_FILE } from '../../../support/agent/standard-agent.js';
import { objectionsNow } from './objections.js';
import type { Story } from './story.js';
import { AUTHORISER, BASE, type Scene } from './people-scene.js';

/** Why a reason an issue rests with is not true; nothing where it is. */
type Truth = (story: Story, because: string) => string | null | Promise<string | null>;

/** The issue has come to rest, and what it says about that is so. */
export async function untrueReasons(story: Story): Promise<readonly string[]> {
  const { rests, snapshot, action } = story;
  if (!rests || snapshot === null || action === null) return ['UNREST it never comes to rest'];
  const shown = shownWrong(story);
  if (action.kind !== 'wait') return [...shown, `UNREST nobody does what is next: ${action.kind} (${action.because})`];
  if (isDone(snapshot)) return [...shown, ...(await untrueDone(story.scene))];
  const { halt } = stateOf(snapshot);
  const wrong = halt === null ? await waitTruth(action.on)(story, action.because) : await haltWrong(story, halt);
  const reason = halt === null ? `wait ${action.on}` : `halt ${halt.code}`;
  return [...shown, ...(wrong === null ? [] : [`UNTRUE ${reason}: ${wrong}`])];
}

const RUN_LABEL = { paused: 'auto/paused', 'needs-human': 'auto/needs-human', failed: 'auto/failed' } as const;

/** The labels say what the state says. */
function shownWrong({ snapshot, scene }: Story): readonly string[] {
  if (snapshot === null || stateOf(snapshot).run === null) return [];
  const labels = scene.labels().filter((label) => label.startsWith('auto/'));
  const { halt } = stateOf(snapshot);
  const wanted = isDone(snapshot) ? [] : [halt === null ? 'auto/running' : RUN_LABEL[halt.state]];
  return labels.join() === wanted.join()
    ? []
    : [`UNTRUE label: ${labels.join() || 'none'} instead of ${wanted.join() || 'none'}`];
}

async function untrueDone(scene: Scene): Promise<readonly string[]> {
  const work = await scene.textAt(scene.tip(BASE) ?? '', WORK_FILE);
  return [
    ...(work?.includes('done') === true ? [] : ['UNTRUE done: base does not hold the work']),
    ...(scene.issue.state === 'closed' ? [] : ['UNTRUE done: the issue is open']),
  ];
}

async function haltWrong(story: Story, { code, because }: Halt): Promise<string | null> {
  const truth = HALTS[code];
  return truth === undefined ? `never true here (${because})` : truth(story, because);
}

const did = ({ done }: Story, ...acts: readonly string[]): boolean =>
  done.some((step) => acts.includes(step.split(' ')[0] ?? ''));

const unless = (isTrue: boolean, why: string): string | null => (isTrue ? null : why);

/** Requests for changes by people who may write, as the objections name them. */
const requests = ({ scene }: Story): readonly string[] =>
  objectionsNow(scene).flatMap(({ why }) => (why.endsWith('requests changes') ? [why] : []));

const redChecks = ({ scene }: Story): boolean => objectionsNow(scene).some(({ why }) => why.endsWith('is red'));

/** When each is true, in terms of what is on GitHub. What is missing here is never true in these stories. */
const HALTS: Readonly<Record<string, Truth>> = {
  stopped: (story) => unless(did(story, 'stop', 'close', 'take-label'), 'nobody stopped it'),
  reopened: (story) => unless(did(story, 'reopen') && story.scene.issue.state === 'open', 'nobody opened it again'),
  paused: (story) => unless(did(story, 'pause'), 'nobody paused it'),
  'authoriser-gone': ({ scene }) => unless(!scene.mayWrite(AUTHORISER), 'whoever asked for it may write'),
  'objections-unresolved': (story) => unless(requests(story).length > 0, 'nobody asks for changes'),
  'pr-closed': ({ scene }) =>
    unless(scene.pull?.mergedAt === null && scene.openPull === null, 'no pull request is closed unmerged'),
  retargeted: ({ scene }) =>
    unless(scene.pull !== null && scene.pull.baseRef !== BASE, 'the pull request goes nowhere else'),
  'checks-red': (story) => unless(redChecks(story), 'no check of the pull request is red'),
  'nothing-to-do': async ({ scene }) =>
    unless(
      (await scene.textAt(scene.tip(BASE) ?? '', WORK_FILE))?.includes('done') === true,
      'the work is not on base',
    ),
};

const WAITS: Readonly<Record<string, Truth>> = {
  'not-driven': (story) =>
    unless(
      did(story, 'lose-role', 'close', 'stop', 'pause'),
      'somebody permitted asked for it and nothing came between',
    ),
  checks: ({ scene }) =>
    unless(
      scene.openPull !== null &&
        (scene.ciRuns(scene.openPull.headOid).length === 0 ||
          scene.ciRuns(scene.openPull.headOid).some(({ status }) => status !== 'completed')),
      'every check of the head has ended',
    ),
  objection: (story, because) =>
    unless(
      requests(story).some((why) => because.includes(why.split(' ')[0] ?? why)),
      `nobody it names asks for changes (${because})`,
    ),
  lease: () => 'nobody works under that lease',
};

const waitTruth = (on: string): Truth => WAITS[on] ?? (() => 'nobody has said when this wait is true');
