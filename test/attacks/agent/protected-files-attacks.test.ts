import { beforeEach, describe, expect, test } from '@jest/globals';
import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { createWorkspace } from '../../../src/adapters/workspace/workspace.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import type { CloneRequest, Workspace } from '../../../src/ports/workspace.js';
import { CONFIG } from '../../contract/suites/workspace-contract.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET, testFolder } from '../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* What an agent tries to take out of its clone: the host compares trees, whatever the history around them looks like. */

let p: TestPocket;
let workspace: Workspace;
freshPocketEachTest((pocket) => {
  p = pocket;
});
beforeEach(async () => {
  const { host: gitHost } = await openGitHost(p);
  workspace = createWorkspace({
    folder: await testFolder(),
    gitHost,
    sandbox: new Unsandboxed({ clock: p.clock, graceMs: 5000 }),
    parseConfig: parseRepoConfig,
    config: CONFIG,
    log: QUIET,
  });
});

/** Lets an agent do something in a clone of its own, and takes what it leaves. */
async function leaves(script: string, request: Partial<CloneRequest> = {}): Promise<Oid | Error | null> {
  const { signal } = new AbortController();
  const main = tipOf(p, 'main');
  const clone = await workspace.open({
    ref: { ...p.at, number: 7 },
    phaseRun: 'run-1',
    at: main,
    base: main,
    signal,
    ...request,
  });
  const { passed, output } = await clone.run(`set -e\n${script}`, signal);
  if (!passed) throw new Error(output);
  const left = await clone.collect('Work', signal).catch((error: Error) => error);
  await clone.dispose();
  return left;
}

const commit = 'git add -A; git commit -qm Work';
const put = (path: string, text = 'evil'): string => `mkdir -p "$(dirname '${path}')"; echo '${text}' > '${path}'`;
const offLimits = (...paths: readonly string[]) => ({ name: 'OffLimitsError', problem: 'off-limits', paths });
const OID = expect.stringMatching(/^[0-9a-f]{40}$/);
const WORKFLOW = '.github/workflows/ci.yml';

describe('C20, C38, C39: files only people change', () => {
  test.each([
    WORKFLOW,
    '.github/sluice.yml',
    '.github/CODEOWNERS',
    'CODEOWNERS',
    'docs/CODEOWNERS',
    '.circleci/config.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    '.claude/settings.json',
    '.mcp.json',
    '.GitHub/workflows/x.yml',
    '.github./workflows/x.yml',
  ])('%s is off limits', async (path) => {
    expect(await leaves(`${put(path)}; ${put('a.txt')}`)).toMatchObject(offLimits(path));
  });

  test('a name with an invisible letter in it is off limits', async () => {
    expect(await leaves(put('.git\u200chub/workflows/x.yml'))).toMatchObject({ name: 'OffLimitsError' });
  });

  test('taking one away is off limits', async () => {
    await pushTo(p, 'main', { files: { [WORKFLOW]: 'on: push\n' } });
    expect(await leaves(`git rm -q ${WORKFLOW}`)).toMatchObject(offLimits(WORKFLOW));
  });

  test('a link in the place of their folder is off limits, and so is a change of mode', async () => {
    await pushTo(p, 'main', { files: { [WORKFLOW]: 'on: push\n' } });
    const linked = 'git mv .github elsewhere; ln -s elsewhere .github';
    expect(await leaves(linked)).toMatchObject(offLimits('.github', WORKFLOW));
    expect(await leaves(`chmod +x ${WORKFLOW}`, { phaseRun: 'run-2' })).toMatchObject(offLimits(WORKFLOW));
  });

  test('the commit is kept for a person to look at, and the error names all of it', async () => {
    const left = await leaves(`${put('CODEOWNERS')}; ${put(WORKFLOW)}`);
    expect(left).toMatchObject({ commit: OID, ...offLimits(WORKFLOW, 'CODEOWNERS') });
  });

  test('which they are is read from the base branch, never from the branch worked on', async () => {
    await pushTo(p, 'main', { files: { '.github/sluice.yml': 'protected: ["deploy/**", "!.claude/**"]\n' } });
    expect(await leaves(put('deploy/run.sh'))).toMatchObject(offLimits('deploy/run.sh'));
    expect(await leaves(put('.claude/settings.json'), { phaseRun: 'run-2' })).toEqual(OID);
    const at = await pushTo(p, 'topic', { files: { '.github/sluice.yml': 'protected: ["!deploy/**"]\n' } });
    expect(await leaves(put('deploy/run.sh'), { phaseRun: 'run-3', at })).toMatchObject(offLimits('deploy/run.sh'));
  });
});

describe('C22, C35: history that hides it', () => {
  test('a change that a later commit takes back is off limits', async () => {
    const script = `${put(WORKFLOW)}; ${commit}; git rm -q ${WORKFLOW}; ${put('a.txt')}; ${commit}`;
    expect(await leaves(script)).toMatchObject(offLimits(WORKFLOW));
  });

  test('a merge of a branch that nobody has merged is off limits', async () => {
    const evil = await pushTo(p, 'evil', { files: { [WORKFLOW]: 'on: push # evil\n' } });
    expect(await leaves(`${put('a.txt')}; ${commit}; git merge -q --no-edit ${evil}`)).toMatchObject(
      offLimits(WORKFLOW),
    );
  });

  test('a merge that takes the files of an older commit of base is off limits', async () => {
    const old = await pushTo(p, 'main', { files: { [WORKFLOW]: 'on: push # weak\n' } });
    await pushTo(p, 'main', { files: { [WORKFLOW]: 'on: push # mended\n' } });
    const rollback = `
      ${put('a.txt')}; git add -A; git checkout -q ${old} -- .github
      merge=$(git commit-tree "$(git write-tree)" -p HEAD -p ${old} -m Merge); git reset -q --hard "$merge"`;
    expect(await leaves(rollback)).toMatchObject(offLimits(WORKFLOW));
  });

  test('work that is moved back onto an older commit of base is off limits', async () => {
    const old = await pushTo(p, 'main', { files: { [WORKFLOW]: 'on: push # weak\n' } });
    await pushTo(p, 'main', { files: { [WORKFLOW]: 'on: push # mended\n' } });
    expect(await leaves(`git reset -q --hard ${old}; ${put('a.txt')}; ${commit}`)).toMatchObject(offLimits(WORKFLOW));
  });

  test('a commit without a past that is merged in is off limits', async () => {
    const orphan = `
      ${put(WORKFLOW)}; git add -A; root=$(git commit-tree "$(git write-tree)" -m Root); git reset -q --hard
      merge=$(git commit-tree "HEAD^{tree}" -p HEAD -p "$root" -m Merge); git reset -q --hard "$merge"`;
    expect(await leaves(orphan)).toMatchObject(offLimits(WORKFLOW));
  });

  test('more commits than can be looked at are refused', async () => {
    const many = `
      tree=$(git rev-parse 'HEAD^{tree}'); i=0
      { while [ $i -lt 1001 ]; do i=$((i+1)); printf 'commit refs/heads/work\\ncommitter a <a@b> %d +0000\\ndata 1\\nx\\n' $i
        [ $i -gt 1 ] || echo "from $(git rev-parse HEAD)"; echo; done; } | git fast-import --quiet --force
      git reset -q --hard`;
    expect(await leaves(many)).toMatchObject({
      problem: 'refused-result',
      message: expect.stringContaining('1000 commits'),
    });
  });
});

describe('what people have put there themselves', () => {
  test('work that began before base changed them is not blamed for it', async () => {
    const old = tipOf(p, 'main');
    const at = await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' }, onto: old });
    const base = await pushTo(p, 'main', { files: { [WORKFLOW]: 'by a person\n' } });
    expect(await leaves(put('b.txt'), { at, base })).toEqual(OID);
    expect(
      await leaves(`${put('c.txt')}; ${commit}; git merge -q --no-edit base`, { at, base, phaseRun: 'run-2' }),
    ).toEqual(OID);
  });

  test('what a person pushed to the work branch may stay as it is, and no more than that', async () => {
    const at = await pushTo(p, 'topic', { files: { CODEOWNERS: '* @ada\n' } });
    const base = await pushTo(p, 'main', { files: { [WORKFLOW]: 'by a person\n' } });
    expect(await leaves(put('b.txt'), { at, base })).toEqual(OID);
    const merged = `${put('c.txt')}; ${commit}; git merge -q --no-edit base`;
    expect(await leaves(merged, { at, base, phaseRun: 'run-2' })).toEqual(OID);
    expect(await leaves('git rm -q CODEOWNERS', { at, base, phaseRun: 'run-3' })).toEqual(OID);
    const more = put('CODEOWNERS', '* @mallory');
    expect(await leaves(more, { at, base, phaseRun: 'run-4' })).toMatchObject(offLimits('CODEOWNERS'));
  });
});
