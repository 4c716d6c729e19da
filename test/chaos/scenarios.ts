import { crashAgent } from '../support/crash-agent.js';
import type { CrashScenario } from '../support/crash-scenario.js';

/** The first push is the repository's own beginning. */
const SEEDED = 'main';

const DONE = {
  issue: 'closed completed',
  comments: { status: 1, triage: 1, spec: 1, report: 1 },
  status: ['### Done: landed and verified'],
  branches: ['refs/heads/main'],
};

/** Size S: one commit straight onto base. */
export const PATCH: CrashScenario = {
  name: 'patch',
  agent: (clock) => crashAgent(clock, 'S'),
  said: [{ comment: '/auto' }],
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
  agent: (clock) => crashAgent(clock, 'M'),
  said: [{ comment: '/auto' }],
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
