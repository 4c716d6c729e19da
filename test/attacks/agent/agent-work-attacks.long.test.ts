import { beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { keepTranscripts } from '../../../src/adapters/agent/transcripts.js';
import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { createWorkspace } from '../../../src/adapters/workspace/workspace.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Clone, Workspace } from '../../../src/ports/workspace.js';
import { CONFIG } from '../../contract/suites/workspace-contract.js';
import { agentAnswering, triageResult } from '../../support/agent/answering-agent.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { standardAnswer } from '../../support/agent/standard-agent.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET, testFolder } from '../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openRealGitHarness } from '../../support/service/real-git-harness.js';

/* What an agent says in its own commits, and what it leaves around its work. */

let p: TestPocket;
let host: GitHost;
let workspace: Workspace;
freshPocketEachTest((pocket) => {
  p = pocket;
});
beforeEach(async () => {
  ({ host } = await openGitHost(p));
  workspace = createWorkspace({
    folder: await testFolder(),
    gitHost: host,
    sandbox: new Unsandboxed({ clock: p.clock, graceMs: 5000 }),
    parseConfig: parseRepoConfig,
    config: CONFIG,
    log: QUIET,
  });
});

const { signal } = new AbortController();

async function openClone(at = tipOf(p, 'main'), phaseRun = 'run-1'): Promise<Clone> {
  return workspace.open({ ref: { ...p.at, number: 7 }, phaseRun, at, base: tipOf(p, 'main'), signal });
}

async function doing(clone: Clone, script: string): Promise<void> {
  const { passed, output } = await clone.run(`set -e\n${script}`, signal);
  if (!passed) throw new Error(output);
}

/** Lets an agent do something in a clone of its own, and takes what it leaves. */
async function leaves(script: string, at?: Oid): Promise<Oid | Error | null> {
  const clone = await openClone(at);
  await doing(clone, script);
  const left = await clone.collect('Work', signal).catch((error: Error) => error);
  await clone.dispose();
  return left;
}

/** A commit as the host has it, with everything git stores about it. */
async function stored(oid: Oid | Error | null): Promise<string> {
  if (typeof oid !== 'string') throw new Error(String(oid));
  const mirror = await host.mirror(p.at);
  return (await execa('git', ['--git-dir', mirror, 'cat-file', 'commit', oid])).stdout;
}

const commit = (message: string): string => `date +%N >> work.txt; git add -A; git commit -q -m '${message}'`;

describe('words in an agent’s own commits', () => {
  test('a head that would keep CI from running is not pushed as it is', async () => {
    const agent = agentAnswering(
      () => p,
      'code',
      async (job) => {
        const script = `${commit('First [skip ci]')}\n${commit('Do it [ci skip]\n\nskip-checks: true')}`;
        const usual = await standardAnswer(job, 'M');
        if (usual.kind !== 'works') return usual;
        for (const [path, text] of Object.entries(usual.files ?? {}))
          await execa('tee', [path], { cwd: job.clone.path, input: text });
        await execa('sh', ['-ec', script.replaceAll('work.txt', 'more.txt')], { cwd: job.clone.path });
        return { ...usual, files: {} };
      },
    );
    const harness = await openRealGitHarness(p, { agent, size: 'M' });
    const pushed: string[] = [];
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    const git = p.pocket.world.git(p.repository.id);
    const pulls = await p.rest('wren').rest.pulls.list({ ...p.at, state: 'all' });
    for (const { head } of pulls.data) {
      const { stdout } = await execa('git', ['--git-dir', git.path, 'log', '--format=%B', head.sha]);
      pushed.push(stdout);
    }
    expect(pushed.join('\n')).toContain('(ci skip)');
    expect(pushed.join('\n')).not.toMatch(/\[skip ci\]|\[ci skip\]|skip-checks:/);
  });

  test('they close no issue and call nobody when the branch is merged as it is', async () => {
    const left = await stored(await leaves(commit('Tidy up\n\nFixes #1, thanks @ada')));
    expect(left).toContain('Fixes issue 1');
    expect(left).toContain('`@ada`');
  });

  test('an encoding does not hide them', async () => {
    const hidden = `
      date > work.txt; git add -A; tree=$(git write-tree); head=$(git rev-parse HEAD)
      oid=$(printf 'tree %s\\nparent %s\\nauthor a <a@b> 1 +0000\\ncommitter a <a@b> 1 +0000\\nencoding UTF-7\\n\\n+AFs-skip ci+AF0-\\n' \\
        "$tree" "$head" | git hash-object -t commit -w --stdin); git reset -q --hard "$oid"`;
    const left = await leaves(hidden);
    expect(await stored(left)).not.toContain('encoding');
    const mirror = await host.mirror(p.at);
    const { stdout } = await execa('git', ['--git-dir', mirror, 'log', '-1', '--format=%B', String(left)]);
    expect(stdout).not.toContain('[skip ci]');
  });

  test('an invisible letter within them does not hide them', async () => {
    expect(await stored(await leaves(commit('Do it [skip\u200b ci]')))).toContain('Do it (skip ci)');
  });

  test('a message that is nothing but such letters becomes one', async () => {
    expect(await stored(await leaves(commit('\u200b')))).toMatch(/\n\nWork$/);
  });

  test('the tree stays, and so does everybody’s name; the same work is always the same commit', async () => {
    const clone = await openClone();
    await doing(clone, commit('One [skip ci]'));
    const first = await clone.collect('Work', signal);
    expect(await clone.collect('Work', signal)).toBe(first);
    const { output } = await clone.run('git rev-parse "HEAD^{tree}"; git log -1 --format="author %an <%ae>"', signal);
    const left = await stored(first);
    for (const line of output.trim().split('\n')) expect(left).toContain(line);
    await clone.dispose();
  });

  test('commits that say nothing of the kind stay what they are, also below one that does', async () => {
    const clone = await openClone();
    await doing(clone, `${commit('Plain')}; git tag plain; ${commit('Not plain [no ci]')}`);
    const { output } = await clone.run('git rev-parse plain', signal);
    expect(await stored(await clone.collect('Work', signal))).toContain(`parent ${output.trim()}`);
    await clone.dispose();
  });

  test('what people have pushed before keeps its words', async () => {
    const at = await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' }, message: 'By hand [skip ci]' });
    expect(await stored(await leaves(commit('Go on'), at))).toContain(`parent ${at}`);
  });

  test('a merge of reworded commits has them as its parents, and protected files are still looked for behind it', async () => {
    const evil = `
      ${commit('One [skip ci]')}; git checkout -q -b side HEAD~1
      mkdir -p .github/workflows; echo evil > .github/workflows/x.yml; git add -A; git commit -qm 'Side [skip ci]'
      git rm -q .github/workflows/x.yml; git commit -qm 'Take it back [skip ci]'
      git checkout -q work; git merge -q -m 'Both [skip ci]' side`;
    expect(await leaves(evil)).toMatchObject({ name: 'OffLimitsError', paths: ['.github/workflows/x.yml'] });
  });
});

describe('what an agent leaves around its work', () => {
  test('replacing objects does not change what is taken over', async () => {
    const script = `
      ${commit('Good')}; good=$(git rev-parse HEAD)
      mkdir -p .github/workflows; echo evil > .github/workflows/x.yml; git add -A; git commit -qm Evil
      git replace HEAD "$good"`;
    expect(await leaves(script)).toMatchObject({ name: 'OffLimitsError', paths: ['.github/workflows/x.yml'] });
  });

  test('a graft that hides the start is not believed', async () => {
    const script = `${commit('One')}; git rev-parse HEAD > .git/shallow`;
    const left = await leaves(script);
    if (typeof left === 'string') expect(await host.contains(p.at, left, tipOf(p, 'main'))).toBe(true);
    else expect(left).toMatchObject({ problem: 'refused-result' });
  });

  test('pipes, sockets and folders nobody may read neither hang nor break what is taken over', async () => {
    const left = await leaves(`${commit('One')}; mkfifo pipe; mkdir locked; touch locked/x; chmod 000 locked`);
    if (typeof left !== 'string') expect(left).toMatchObject({ problem: 'refused-result' });
  });

  test('a huge file that takes no room is refused, not read into memory', async () => {
    const left = await leaves(`${commit('One')}; truncate -s 300M sparse.bin`);
    expect(left).toMatchObject({ problem: 'refused-result' });
  });

  test('a name of bytes that are no letters is taken over as it is', async () => {
    const left = await leaves(`printf x > "$(printf 'a\\377\\nb')"`);
    expect(left).toEqual(expect.stringMatching(/^[0-9a-f]{40}$/));
  });

  test('a date from the end of time is no reason to fail later', async () => {
    const left = await leaves(`export GIT_COMMITTER_DATE='@9999999999 +0000'; ${commit('Late')}`);
    if (typeof left !== 'string') throw new Error(String(left));
    const [newest] = await host.log(p.at, left, 1);
    expect(newest?.subject).toBe('Late');
  });
});

test('a test that writes what a criterion looks for does not make it hold', async () => {
  await pushTo(p, 'main', { files: { 'test.sh': 'true\n' } });
  const agent = agentAnswering(
    () => p,
    'code',
    async (job) => {
      const usual = await standardAnswer(job, 'XS');
      return usual.kind === 'works' ? { ...usual, files: { 'test.sh': 'echo done > work.txt\n' } } : usual;
    },
  );
  const harness = await openRealGitHarness(p, { agent, testCommand: 'sh test.sh' });
  const before = tipOf(p, 'main');
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect(tipOf(p, 'main')).toBe(before);
  expect((await harness.state(number)).progress.fix?.items.join()).toContain('c1 does not hold');
});

test('three hundred conversations that take no room are not copied one by one', async () => {
  const [home, folder] = [await testFolder(), await testFolder()];
  const make =
    'for i in $(seq 300); do mkdir -p .claude/projects/$i; truncate -s 20M .claude/projects/$i/s-1.jsonl; done';
  await execa('sh', ['-c', make], { cwd: home });
  let copied = 0;
  const redact = (text: string): string => {
    copied += 1;
    return text.slice(0, 10);
  };
  const run = { home, phaseRun: 'run-1', sessions: ['s-1'], hasSucceeded: false };
  await keepTranscripts({ keep: 'failed', folder, redact }, run);
  expect(copied).toBe(1);
});

test.each([
  'command "true \u0000"',
  'grep "a\u0000" work.txt',
  'file_exists "a\u0000"',
  'file_contains "../../start" "0"',
])('a check no system can run ends in good order: %j', async (verify) => {
  const criteria = [{ text: 'The work is done', verify, stage: 'pre-merge' }];
  const harness = await openRealGitHarness(p, { agent: agentAnswering(() => p, 'issue', triageResult({ criteria })) });
  const before = tipOf(p, 'main');
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect(tipOf(p, 'main')).toBe(before);
  const { halt } = await harness.state(number);
  expect(halt?.state).toMatch(/failed|needs-human/);
});
