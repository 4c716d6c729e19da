import type { GitHubEvent } from '../../../../src/domain/intent/github-event.js';
import {
  addLabels,
  closeIssue,
  closePull,
  createComment,
  createReview,
  dismissReview,
  editIssue,
  ensureCiApp,
  formatNodeId,
  labelsByName,
  latestOpinions,
  moveRefs,
  removeCollaborator,
  removeLabels,
  reopenIssue,
  reopenPull,
  setCollaborator,
  updatePull,
  updateRun,
  type Verdict,
} from '#pocket-github/testing';
import { WORK_FILE } from '../../../support/agent/standard-agent.js';
import { AUTHORISER, BASE, mustExist, type PersonName, type Scene } from './people-scene.js';

/** Something a person does. */
export interface PersonAction {
  readonly applies: (scene: Scene) => boolean;
  /** Does it; the event GitHub would tell of, where it is not only a reason to look. */
  readonly perform: (scene: Scene) => Promise<GitHubEvent | void>;
}

/** Where a retargeted pull request goes. */
const RELEASE = 'release';

const always = (): boolean => true;

/** A file nobody else touches. */
const own = (scene: Scene, where: string) => {
  const n = scene.commits.length + 1;
  return { path: `${where}-${n}.txt`, text: `somebody's line ${n}\n` };
};

const tip = (scene: Scene, branch: string): string => mustExist(scene.tip(branch) ?? undefined, branch);

const comment =
  (by: PersonName, body: string): PersonAction['perform'] =>
  async (scene) => {
    const user = scene.user(by);
    const said = await createComment(scene.world, scene.as(by), scene.issue, body);
    const commentId = formatNodeId('comments', said.id);
    const author = { id: user.id, login: user.login, kind: 'human' as const };
    return { kind: 'comment', ref: scene.crash.ref, isPull: false, commentId, at: said.createdAt, author, body };
  };

const review = (by: PersonName, verdict: Verdict): PersonAction => ({
  applies: (scene) => scene.openPull !== null,
  perform: async (scene) => {
    const pull = mustExist(scene.openPull ?? undefined, 'the pull request');
    const body = `${by} says ${verdict}`;
    await createReview(scene.world, scene.as(by), pull, { body, commitOid: pull.headOid, verdict, comments: [] });
  },
});

/** Requests for changes that stand. */
const objections = (scene: Scene) =>
  scene.openPull === null
    ? []
    : latestOpinions(scene.tables, scene.openPull).filter(({ state }) => state === 'CHANGES_REQUESTED');

const flip = (from: 'success' | 'failure', to: 'success' | 'failure'): PersonAction => {
  const runs = (scene: Scene) =>
    scene.ciRuns(scene.openPull?.headOid ?? tip(scene, BASE)).filter(({ conclusion }) => conclusion === from);
  return {
    applies: (scene) => runs(scene).length > 0,
    perform: async (scene) => {
      const app = ensureCiApp(scene.world);
      const change = { status: 'completed', conclusion: to } as const;
      for (const run of runs(scene)) await updateRun(scene.world, scene.as('ada'), app, run, change);
    },
  };
};

const edit = (applies: (body: string) => boolean, by: PersonName, change: (body: string) => string): PersonAction => ({
  applies: ({ issue }) => applies(issue.body ?? ''),
  perform: async (scene) => {
    await editIssue(scene.world, scene.as(by), scene.issue, { body: change(scene.issue.body ?? '') });
  },
});

/** All that people do. */
export const ACTIONS = {
  'push-base': {
    applies: always,
    perform: (scene) => scene.push('tess', BASE, tip(scene, BASE), own(scene, 'base')),
  },
  /** The file that the agent writes too. */
  'push-base-same-file': {
    applies: always,
    perform: (scene) =>
      scene.push('tess', BASE, tip(scene, BASE), { path: WORK_FILE, text: `a line of tess ${scene.commits.length}\n` }),
  },
  /** Also where there is no such branch yet. */
  'push-work': {
    applies: always,
    perform: (scene) =>
      scene.push('tess', scene.branch, scene.tip(scene.branch) ?? tip(scene, BASE), own(scene, 'work')),
  },
  /** By force, over whatever was there. */
  'rewrite-work': {
    applies: (scene) => scene.tip(scene.branch) !== null,
    perform: async (scene) => {
      await scene.withdraw(scene.branch);
      await scene.push('tess', scene.branch, tip(scene, BASE), own(scene, 'rewritten'));
    },
  },
  'delete-work': {
    applies: (scene) => scene.tip(scene.branch) !== null,
    perform: async (scene) => {
      await scene.withdraw(scene.branch);
      const update = { name: `refs/heads/${scene.branch}`, before: scene.tip(scene.branch), after: null };
      await moveRefs(scene.world, scene.as('tess'), scene.repository, [update]);
    },
  },
  approve: review('tess', 'APPROVE'),
  'request-changes': review('tess', 'REQUEST_CHANGES'),
  'request-changes-outsider': review('mallory', 'REQUEST_CHANGES'),
  'approve-outsider': review('mallory', 'APPROVE'),
  dismiss: {
    applies: (scene) => objections(scene).length > 0,
    perform: async (scene) => {
      for (const one of objections(scene)) await dismissReview(scene.world, scene.as('ada'), one, 'not needed');
    },
  },
  close: {
    applies: ({ issue }) => issue.state === 'open',
    perform: async (scene) => {
      await closeIssue(scene.world, scene.as('tess'), scene.issue, { reason: 'not_planned' });
    },
  },
  reopen: {
    applies: ({ issue }) => issue.state === 'closed',
    perform: async (scene) => {
      await reopenIssue(scene.world, scene.as('tess'), scene.issue);
    },
  },
  'close-pull': {
    applies: (scene) => scene.openPull !== null,
    perform: async (scene) => {
      await closePull(scene.world, scene.as('tess'), mustExist(scene.openPull ?? undefined, 'the pull request'));
    },
  },
  'reopen-pull': {
    applies: (scene) => scene.pull?.mergedAt === null && scene.openPull === null && scene.tip(scene.branch) !== null,
    perform: async (scene) => {
      await reopenPull(scene.world, scene.as('tess'), mustExist(scene.pull ?? undefined, 'the pull request'));
    },
  },
  retarget: {
    applies: (scene) => scene.openPull?.baseRef === BASE,
    perform: async (scene) => {
      const [first] = (await scene.git.log(null, tip(scene, BASE))).toReversed();
      const { oid } = mustExist(first, 'the first commit');
      if (scene.tip(RELEASE) === null)
        await moveRefs(scene.world, scene.as('tess'), scene.repository, [
          { name: `refs/heads/${RELEASE}`, before: null, after: oid },
        ]);
      const pull = mustExist(scene.openPull ?? undefined, 'the pull request');
      await updatePull(scene.world, scene.as('tess'), pull, { base: RELEASE });
    },
  },
  'lose-role': {
    applies: (scene) => scene.mayWrite(AUTHORISER),
    perform: (scene) => removeCollaborator(scene.world, scene.as('ada'), scene.repository, scene.user(AUTHORISER)),
  },
  'regain-role': {
    applies: (scene) => !scene.mayWrite(AUTHORISER),
    perform: async (scene) => {
      await setCollaborator(scene.world, scene.as('ada'), scene.repository, scene.user(AUTHORISER), 'write');
    },
  },
  'check-red': flip('success', 'failure'),
  'check-green': flip('failure', 'success'),
  'tick-box': edit(
    (body) => body.includes('[ ]'),
    'tess',
    (body) => body.replace('[ ]', '[x]'),
  ),
  'edit-text': edit(always, 'tess', (body) => `${body}\nMore of it.`),
  comment: { applies: always, perform: comment('tess', 'Looks good so far.') },
  'stop-outsider': { applies: always, perform: comment('mallory', '/auto stop') },
  stop: { applies: always, perform: comment('tess', '/auto stop') },
  pause: { applies: always, perform: comment('tess', '/auto pause') },
  continue: { applies: always, perform: comment('tess', '/auto continue') },
  'take-label': {
    applies: (scene) => scene.labels().includes('auto/running'),
    perform: async (scene) => {
      const actor = scene.as('tess');
      const labels = await labelsByName(scene.world, actor, scene.repository, ['auto/running']);
      await removeLabels(scene.world, actor, scene.issue, labels);
    },
  },
  'set-code': {
    applies: (scene) => !scene.labels().includes('phase/code'),
    perform: async (scene) => {
      const actor = scene.as('tess');
      await addLabels(
        scene.world,
        actor,
        scene.issue,
        await labelsByName(scene.world, actor, scene.repository, ['phase/code']),
      );
    },
  },
} as const satisfies Record<string, PersonAction>;

export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

export const isActionName = (text: string): text is ActionName => text in ACTIONS;
