import { standardAgent, interruptedAgent, limitedAgent } from '../../../support/agent/standard-agent.js';
import type { CrashScenario } from './crash-scenario.js';

/** The first push is the repository's own beginning. */
const SEEDED = 'main';

const DONE = {
  issue: 'closed completed',
  comments: { status: 1, triage: 1, spec: 1, report: 1 },
  status: ['### Done: landed and verified'],
  starts: 1,
  answers: ['/auto eyes rocket'],
  branches: ['refs/heads/main'],
};

/** Size S: one commit straight onto base. */
export const PATCH: CrashScenario = {
  name: 'patch',
  agent: (clock) => standardAgent(clock, 'S'),
  comments: [{ comment: '/auto' }],
  wanted: {
    ...DONE,
    labels: ['phase/done', 'size/S', 'triaged'],
    pulls: [],
    commits: ['Do the work', 'Initial commit'],
    trailers: 1,
    work: 'done\n',
    diary: 1,
    pushes: [SEEDED, 'main'],
  },
};

/** Size M: a pull request whose first version is sent back by the review. */
export const PULL: CrashScenario = {
  name: 'pr',
  agent: (clock) => standardAgent(clock, 'M'),
  comments: [{ comment: '/auto' }],
  wanted: {
    ...DONE,
    labels: ['phase/done', 'size/M', 'triaged'],
    pulls: ['merged'],
    commits: ['Do the work (#2)', 'Initial commit'],
    trailers: 0,
    work: 'done and polished\n',
    diary: 2,
    pushes: [SEEDED, 'sluice/issue-1', 'sluice/issue-1', 'main', 'sluice/issue-1 deleted'],
  },
};

const isPaused: CrashScenario['rests'] = (world) => world.has('auto/paused');

/** As patch, as far as it got. */
const STOPPED = {
  ...PATCH.wanted,
  issue: 'open ',
  labels: ['auto/paused', 'phase/code', 'size/S', 'triaged'],
  comments: { status: 1, triage: 1, spec: 1, report: 0 },
  status: ['### Stopped by a person'],
  answers: ['/auto eyes rocket', '/auto stop rocket'],
  commits: ['Initial commit'],
  trailers: 0,
  work: '',
  diary: 0,
};

/** Somebody stops it in the middle of writing: what there is goes to the work branch, and nowhere else. */
export const STOP: CrashScenario = {
  name: 'stop',
  agent: (clock) => interruptedAgent(clock, 'S', 'waits'),
  comments: [{ comment: '/auto' }, { comment: '/auto stop', when: (world) => world.has('phase/code') }],
  rests: isPaused,
  wanted: {
    ...STOPPED,
    branches: ['refs/heads/main', 'refs/heads/sluice/issue-1'],
    pushes: [SEEDED, 'sluice/issue-1'],
  },
  withoutWork: { ...STOPPED, branches: ['refs/heads/main'], pushes: [SEEDED] },
};

/** The agent falls silent with half of the work in its clone: the next one goes on from there. */
export const STALL: CrashScenario = {
  name: 'stall',
  agent: (clock) => interruptedAgent(clock, 'S', 'stalls'),
  comments: [{ comment: '/auto' }],
  wanted: {
    ...PATCH.wanted,
    work: 'half\ndone\n',
    diary: 2,
    pushes: [SEEDED, 'sluice/issue-1', 'main', 'sluice/issue-1 deleted'],
  },
};

/** The world begins at nine; there is nothing left for code until half past, longer than a lease lasts. */
const RESET = Date.UTC(2026, 0, 5, 9, 30);

/** The account is at its limit when code should be written: everything waits, and then goes on as if nothing had been. */
export const QUOTA: CrashScenario = {
  name: 'quota',
  agent: (clock) => limitedAgent(clock, 'S', RESET),
  comments: [{ comment: '/auto' }],
  stepMs: 5 * 60_000,
  wanted: PATCH.wanted,
};

/** From a delivery kept in Redis to what can be seen of it; triage is all there is to do. */
export const TRIGGER: CrashScenario = {
  name: 'trigger',
  agent: (clock) => standardAgent(clock, 'S'),
  comments: [{ comment: '/auto --stop-at issue' }],
  rests: isPaused,
  wanted: {
    ...STOPPED,
    labels: ['auto/paused', 'phase/spec', 'size/S', 'triaged'],
    comments: { status: 1, triage: 1, spec: 0, report: 0 },
    status: ['### Paused'],
    answers: ['/auto --stop-at issue eyes rocket'],
    branches: ['refs/heads/main'],
    pushes: [SEEDED],
  },
};

/** No webhook ever comes. */
export const SWEPT: CrashScenario = { ...PATCH, name: 'sweep', isSweptOnly: true, stepMs: 60_000 };
