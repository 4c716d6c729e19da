import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Octokit } from '@octokit/rest';
import { type DemoParts, type DemoWorld, openDemoWorld } from '../../../src/entry/demo/world.js';
import { commentMarker } from '../../../src/domain/issue/comment-marker.js';
import { ROOT } from '../source-files.js';

/** The whole system on loopback, used over HTTP by a person. */
export interface DemoHarness {
  readonly world: DemoWorld;
  readonly person: Octokit;
  readonly at: { readonly owner: string; readonly repo: string };
  /** Comments `/auto` on the issue and waits until the run ends. */
  drive(issue: number): Promise<void>;
  comment(issue: number): Promise<void>;
  /** Waits until `done` holds, for minutes if the machine is busy. */
  until(done: () => Promise<boolean>): Promise<void>;
  facts(issue: number): Promise<IssueFacts>;
}

export interface IssueFacts {
  readonly state: string;
  readonly labels: readonly string[];
  readonly ours: Readonly<Record<'status' | 'triage' | 'spec', number>>;
  readonly status: string;
  readonly pulls: readonly { readonly number: number; readonly merged: boolean }[];
  /** Subjects of the commits on main, newest first. */
  readonly commits: readonly string[];
}

const PATIENCE_MS = 110_000;
const LOOK_MS = 150;
const QUIET = { info: () => {}, warn: () => {}, error: () => {} };

export async function openDemoHarness(parts: Partial<DemoParts> = {}, patienceMs = PATIENCE_MS): Promise<DemoHarness> {
  const world = await openDemoWorld({
    claude: realpathSync(join(ROOT, 'node_modules/.bin/claude')),
    product: ROOT,
    path: process.env['PATH'] ?? '',
    log: QUIET,
    onSwap: () => {},
    ...parts,
  });
  const [owner = '', repo = ''] = world.repository.split('/');
  const at = { owner, repo };
  const person = new Octokit({ baseUrl: world.pocket.urls.api, auth: world.token });
  const until: DemoHarness['until'] = async (done) => {
    const deadline = Date.now() + patienceMs;
    while (!(await done())) {
      if (Date.now() > deadline) throw new Error('it did not happen in time');
      await setTimeout(LOOK_MS);
    }
  };
  const comment = async (issue: number) =>
    void (await person.rest.issues.createComment({ ...at, issue_number: issue, body: '/auto' }));
  const facts = (issue: number) => factsOf(person, at, issue);
  return {
    world,
    person,
    at,
    until,
    comment,
    facts,
    drive: async (issue) => {
      await comment(issue);
      await until(async () => {
        const { state, labels } = await facts(issue);
        return state === 'closed' || labels.includes('auto/failed') || labels.includes('auto/needs-human');
      });
      await world.service.settled();
      await world.pocket.settle();
    },
  };
}

async function factsOf(person: Octokit, at: DemoHarness['at'], issue: number): Promise<IssueFacts> {
  const { data } = await person.rest.issues.get({ ...at, issue_number: issue });
  const comments = await person.paginate(person.rest.issues.listComments, {
    ...at,
    issue_number: issue,
    per_page: 100,
  });
  const ours = (slot: 'status' | 'triage' | 'spec') =>
    comments.filter(({ user, body }) => user?.type === 'Bot' && (body ?? '').startsWith(commentMarker(slot)));
  const { data: pulls } = await person.rest.pulls.list({
    ...at,
    state: 'all',
    head: `${at.owner}:sluice/issue-${issue}`,
  });
  const { data: commits } = await person.rest.repos.listCommits(at);
  return {
    state: data.state,
    labels: data.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).toSorted(),
    ours: { status: ours('status').length, triage: ours('triage').length, spec: ours('spec').length },
    status: ours('status')[0]?.body ?? '',
    pulls: pulls.map(({ number, merged_at }) => ({ number, merged: merged_at !== null })),
    commits: commits.map(({ commit }) => commit.message.split('\n')[0] ?? ''),
  };
}
