import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findRef } from '../../src/pocket/github/world/lookup.js';
import type { Agent } from '../../src/ports/agent.js';
import type { GitHost, PushResult, RefPush } from '../../src/ports/git-host.js';
import { interruptedAgent } from '../support/crash-agent.js';
import { pushTo, tipOf } from '../support/branches.js';
import type { Desk, DeskOptions } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import { heldAt } from '../support/held-agent.js';
import type { TestPocket } from '../support/pocket.js';

/* People and agents work on the same branches: nothing of either is lost, and nobody pays twice for a push that came in between. */

let p: TestPocket;
const open = deskEachTest((pocket) => {
  p = pocket;
});

const WORK = 'sluice/issue-1';
const THEIRS = { 'theirs.txt': 'theirs\n', 'README.md': '# Theirs\n' };

beforeEach(() => {
  codeRuns = 0;
});
let codeRuns = 0;

/** Counts what people pay for. */
const counting =
  (inner: (usual: Agent) => Agent) =>
  (usual: Agent): Agent => ({
    run: (job) => {
      if (job.phase === 'code') codeRuns += 1;
      return inner(usual).run(job);
    },
  });
const same = (usual: Agent): Agent => usual;

async function asked(command: string, { agent = same, ...options }: DeskOptions): Promise<Desk> {
  const desk = await open({ ...options, agent: counting(agent) });
  await desk.open('wren');
  await desk.say('wren', 1, command);
  return desk;
}

/** What is on a branch in the end. */
async function files(branch = 'main'): Promise<Readonly<Record<string, string>>> {
  const git = p.pocket.world.git(p.repository.id);
  const texts: Record<string, string> = {};
  for (const path of ['work.txt', 'theirs.txt', 'README.md', 'human.txt']) {
    const entry = await git.entryAt(tipOf(p, branch), path);
    const object = entry === null ? null : await git.object(entry.oid);
    if (object?.type === 'blob') texts[path] = object.content.toString();
  }
  return texts;
}

/** Something happens at the moment a branch is about to move, before it does; once. */
function before(branch: string, act: () => Promise<unknown>): (usual: GitHost) => GitHost {
  const done = { yet: false };
  return (usual) =>
    pushing(usual, async (refs, push) => {
      if (!done.yet && refs.some(({ ref, to }) => ref === `refs/heads/${branch}` && to !== null)) {
        done.yet = true;
        await act();
      }
      return push();
    });
}

/** A server that refuses pushes to a branch, as often as it is told to. */
const refusing = (branch: string, times: number, isPassing: boolean): ((usual: GitHost) => GitHost) => {
  const left = { times };
  return (usual) =>
    pushing(usual, async (refs, push) => {
      const ref = `refs/heads/${branch}`;
      if (left.times === 0 || !refs.some((one) => one.ref === ref && one.to !== null)) return push();
      left.times -= 1;
      return { kind: 'refused', ref, why: 'pre-receive hook declined\nNo commits on Fridays.', isPassing };
    });
};

function pushing(
  usual: GitHost,
  push: (refs: readonly RefPush[], usual: () => Promise<PushResult>) => Promise<PushResult>,
): GitHost {
  return new Proxy(usual, {
    get: (host, name: keyof GitHost) =>
      name === 'push'
        ? (...args: Parameters<GitHost['push']>) => push(args[1], () => host.push(...args))
        : (host[name] as (...args: unknown[]) => unknown).bind(host),
  });
}

/** Leaves the work unfinished the first time, so that it is sent back. */
function secondTry(): (usual: Agent) => Agent {
  const tried = { yet: false };
  return (usual) => ({
    run: async (job) => {
      const outcome = await usual.run(job);
      if (job.phase !== 'code' || tried.yet) return outcome;
      tried.yet = true;
      await land();
      await writeFile(join(job.clone.path, 'work.txt'), 'not yet\n');
      return outcome;
    },
  });
}
const land = (): Promise<unknown> => pushTo(p, 'main', { files: THEIRS });

const DONE = ['phase/done', 'size/XS', 'triaged'];
const ONE_PULL_DONE = ['phase/done', 'size/M', 'triaged'];

describe('what others landed on base is still there after', () => {
  const landed = { ...THEIRS, 'work.txt': expect.stringContaining('done') };

  test('a first attempt that was sent back', async () => {
    const desk = await asked('/auto', { size: 'XS', agent: secondTry() });
    await desk.finish();
    expect(await desk.labels(1)).toEqual(DONE);
    expect(await files()).toEqual(landed);
  });

  test('a run that was paused in the middle and went on', async () => {
    const desk = await open({ size: 'XS', agent: () => interruptedAgent(p.clock, 'XS', 'stalls') });
    await desk.open('wren');
    await desk.say('wren', 1, '/auto --max-iterations 2');
    await desk.finish();
    expect(await desk.labels(1)).toContain('auto/paused');
    await land();
    await desk.say('wren', 1, '/auto --resume --max-iterations 9');
    await desk.finish();
    expect(await desk.labels(1)).toEqual(DONE);
    expect(await files()).toEqual(landed);
  });

  test('a push to base at the very moment of the landing: squashed and tested again, not paid again', async () => {
    const desk = await asked('/auto', { size: 'XS', gitHost: before('main', land) });
    await desk.finish();
    expect(await desk.labels(1)).toEqual(DONE);
    expect(await files()).toEqual(landed);
    expect(codeRuns).toBe(1);
  });
});

describe('what people push to the work branch', () => {
  const human = () => pushTo(p, WORK, { files: { 'human.txt': 'mine\n' } });
  const both = { 'human.txt': 'mine\n', 'work.txt': 'done and polished\n', 'README.md': '# Sandbox\n' };

  test('between review and fix is part of the fix', async () => {
    const held = heldAt('review');
    const desk = await open({ size: 'M', agent: counting(held.agent) });
    await desk.open('wren');
    const saying = desk.say('wren', 1, '/auto');
    await desk.settle();
    const driving = desk.finish();
    await held.reached;
    await human();
    held.open();
    await saying;
    await driving;
    await desk.finish();
    expect(await desk.labels(1)).toEqual(ONE_PULL_DONE);
    expect(await files()).toEqual(both);
  });

  test('while the agent writes is merged into what it writes, without another run', async () => {
    const desk = await asked('/auto', { size: 'M', agent: pushesDuring(2, human) });
    await desk.finish();
    expect(await desk.labels(1)).toEqual(ONE_PULL_DONE);
    expect(await files()).toEqual(both);
    expect(codeRuns).toBe(2);
  });

  test('and what conflicts with it: theirs stays on the branch, ours is kept beside it and told to the next run', async () => {
    const told = { theirs: '' };
    const theirs = async (): Promise<void> => {
      told.theirs = await pushTo(p, WORK, { files: { 'work.txt': 'theirs, done and polished\n' } });
    };
    const desk = await asked('/auto', { size: 'M', agent: pushesDuring(2, theirs) });
    await desk.finish();
    const kept = p.pocket.world.tables.refs.all().filter(({ name }) => name.startsWith('refs/sluice/wip/1/'));
    expect({ labels: await desk.labels(1), kept: kept.length, runs: codeRuns }).toEqual({
      labels: ONE_PULL_DONE,
      kept: 0,
      runs: 3,
    });
    const [first] = p.pocket.world.tables.pulls.all();
    const git = p.pocket.world.git(p.repository.id);
    expect(await git.isAncestor(told.theirs, first?.headOid ?? '')).toBe(true);
  });
});

/** Something happens while the n-th code run is at work. */
function pushesDuring(run: number, act: () => Promise<unknown>): (usual: Agent) => Agent {
  const count = { runs: 0 };
  return (usual) => ({
    run: async (job) => {
      if (job.phase === 'code') count.runs += 1;
      const outcome = await usual.run(job);
      if (job.phase === 'code' && count.runs === run) await act();
      return outcome;
    },
  });
}

describe('a push GitHub refuses', () => {
  test('to base, for good, becomes a pull request; nothing is charged and GitHub is quoted', async () => {
    const desk = await asked('/auto', { size: 'XS', gitHost: refusing('main', Infinity, false) });
    await desk.settle();
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    const state = await desk.state(1);
    expect(pulls).toHaveLength(1);
    expect(state.progress.pullReason).toContain('No commits on Fridays.');
    expect(state.counters.failures).toBe(0);
    expect(state.lease).toBeNull();
    expect((await desk.said(1)).join('\n')).toContain('No commits on Fridays.');
    expect(codeRuns).toBe(1);
  });

  test('of the work branch, for good, asks for a person, and `/auto continue` needs no new agent run', async () => {
    const desk = await asked('/auto', { size: 'M', gitHost: refusing(WORK, 1, false) });
    await desk.finish();
    expect(await desk.labels(1)).toContain('auto/needs-human');
    const { halt, lease, counters } = await desk.state(1);
    expect(halt).toMatchObject({ code: 'push-refused', because: expect.stringContaining('No commits on Fridays.') });
    expect({ lease, failures: counters.failures }).toEqual({ lease: null, failures: 0 });
    const runs = codeRuns;
    await desk.say('wren', 1, '/auto continue');
    await desk.settle();
    expect(findRef(p.pocket.world.tables, p.repository.id, `refs/heads/${WORK}`)).toBeDefined();
    expect(codeRuns - runs).toBeLessThanOrEqual(1);
    await desk.finish();
    expect(await desk.labels(1)).toEqual(ONE_PULL_DONE);
  });
});

/** A test command that only passes where the work is. */
const RED_ON_BASE = 'test -e work.txt';

describe('a small issue goes through a pull request, and the status says why, where', () => {
  async function reason(options: DeskOptions): Promise<{ pulls: number; said: string }> {
    const desk = await asked('/auto --patch', { size: 'XS', ...options });
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    return { pulls: pulls.length, said: (await desk.said(1)).find((text) => text.includes('pull request')) ?? '' };
  }

  test('nothing guards the base branch', async () => {
    const { pulls, said } = await reason({ policy: { hasTests: false } });
    expect(pulls).toBe(1);
    expect(said).toContain('nothing guards main');
  });

  test('the repository says so, whatever the command says', async () => {
    const { pulls, said } = await reason({ policy: { route: 'pr' } });
    expect(pulls).toBe(1);
    expect(said).toContain('`route: pr`');
  });

  test('the tests fail on base itself', async () => {
    const { pulls, said } = await reason({ testCommand: RED_ON_BASE });
    expect(pulls).toBe(1);
    expect(said).toContain('the test command fails on main itself');
  });

  test('the checks it relies on are not green on base', async () => {
    const { pulls, said } = await reason({ policy: { hasTests: false, expectedChecks: ['test'] } });
    expect(pulls).toBe(1);
    expect(said).toContain('are not green');
  });
});

describe('before a patch goes to base everything is read again', () => {
  const main = (): string => tipOf(p, 'main');
  /** Something happens after the last test of the work, before it is read again. */
  const lately = (act: () => Promise<unknown>) => pushesDuring(1, act);

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'the issue was closed',
      () => p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'closed' }),
      'auto/paused',
    ],
    ['somebody said stop', () => say('/auto stop'), 'auto/paused'],
    ['somebody said pause', () => say('/auto pause'), 'auto/paused'],
  ])('%s: it does not land, and is kept', async (_, act, label) => {
    const before = main();
    const desk = await asked('/auto', { size: 'XS', agent: lately(act) });
    await desk.finish();
    expect(main()).toBe(before);
    expect(await desk.labels(1)).toContain(label);
    expect((await desk.state(1)).lease).toBeNull();
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'open' });
    await desk.say('wren', 1, '/auto continue');
    await desk.finish();
    expect(await desk.labels(1)).toEqual(DONE);
    expect(codeRuns).toBeLessThanOrEqual(2);
  });

  const say = (body: string): Promise<unknown> =>
    p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body });
});

test('a base whose workflow files differ from the default branch is refused before anything is paid for', async () => {
  await pushTo(p, 'release/2', { files: { '.github/workflows/ci.yml': 'on: push\n' } });
  const desk = await asked('/auto --base release/2', { size: 'XS', policy: { workflowsDiffer: true } });
  await desk.finish();
  expect((await desk.state(1)).halt?.code).toBe('workflows-differ');
  expect(codeRuns).toBe(0);
});
