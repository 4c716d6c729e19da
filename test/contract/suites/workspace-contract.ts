import { chmod, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createWorkspace, type WorkspaceConfig } from '../../../src/adapters/workspace/workspace.js';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Sandbox, SandboxedCommand } from '../../../src/ports/sandbox.js';
import type { Clone, CloneRequest, Workspace } from '../../../src/ports/workspace.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { IDENTITY, openGitHost, QUIET, testFolder } from '../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { git } from '#pocket-github/test/git-http-fixture';

export const CONFIG: WorkspaceConfig = {
  path: process.env['PATH'] ?? '/usr/bin:/bin',
  identity: IDENTITY,
  commandTimeoutMs: 60_000,
  setupTimeoutMs: 60_000,
  maxBundleBytes: 1_000_000,
};

/** What a workspace has to do, with any sandbox. */
export function workspaceContract(
  name: string,
  openSandbox: (limits: ProcessLimits) => Sandbox,
  { isSandboxed }: { readonly isSandboxed: boolean },
): void {
  let p: TestPocket;
  let host: GitHost;
  let folder: string;
  let main: Oid;
  let workspace: Workspace;
  let commands: SandboxedCommand[];
  let started: (() => void) | null;
  let sabotage: ((command: SandboxedCommand) => Promise<void>) | null;
  const { signal } = new AbortController();

  freshPocketEachTest((pocket) => {
    p = pocket;
  });

  /** The sandbox, with a mark on everything that runs inside and a chance to meddle afterwards. */
  const watched = (inner: Sandbox): Sandbox => ({
    name: inner.name,
    guards: inner.guards,
    sweepLeftovers: () => inner.sweepLeftovers(),
    run: async (command) => {
      commands.push(command);
      const result = await inner.run({
        ...command,
        env: { ...command.env, INSIDE: '1' },
        onStart: () => started?.(),
      });
      await sabotage?.(command);
      return result;
    },
  });

  beforeEach(async () => {
    ({ host } = await openGitHost(p));
    folder = await testFolder();
    main = tipOf(p, 'main');
    commands = [];
    sabotage = null;
    started = null;
    workspace = open();
  });

  const open = (config: Partial<WorkspaceConfig> = {}): Workspace =>
    createWorkspace({
      folder,
      gitHost: host,
      sandbox: watched(openSandbox({ clock: p.clock, graceMs: 5000 })),
      parseConfig: parseRepoConfig,
      config: { ...CONFIG, ...config },
      log: QUIET,
    });

  const clone = (request: Partial<CloneRequest> = {}): Promise<Clone> =>
    workspace.open({
      ref: { ...p.at, number: 7 },
      phaseRun: 'run-1',
      at: main,
      base: tipOf(p, 'main'),
      signal,
      ...request,
    });

  /** Lets the agent do something; it has to work. */
  const does = async (opened: Clone, script: string): Promise<string> => {
    const { passed, output } = await opened.run(`set -e\n${script}`, signal);
    if (!passed) throw new Error(output);
    return output.trim();
  };
  const collect = (opened: Clone): Promise<Oid | null> => opened.collect('Work in progress', signal);
  const filesOf = async (oid: Oid | null): Promise<string[]> =>
    (await git(await host.mirror(p.at), 'ls-tree', '-r', '--name-only', String(oid))).split('\n');

  describe(`a clone in ${name}`, () => {
    test('stands at its commit on a branch of its own, next to the base, with no way out', async () => {
      const at = await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
      const opened = await clone({ at });
      expect(await does(opened, 'git status --porcelain --branch; git rev-parse HEAD base; cat a.txt')).toBe(
        `## work\n${at}\n${main}\na`,
      );
      expect(await does(opened, 'git remote; git config user.email; ls .git/hooks 2>/dev/null || true')).toBe(
        IDENTITY.email,
      );
      expect(await does(opened, 'find .git/objects -type f ! -path "*/info/*"')).toBe('');
      expect(opened.mounts.map(({ path, access }) => [access, path.slice(path.indexOf('ada+'))])).toEqual([
        ['write', 'ada+sandbox/run-1/clone'],
        ['write', 'ada+sandbox/run-1/home'],
        ['read', 'ada+sandbox.git/objects'],
        ['read', 'ada+sandbox.cache'],
      ]);
    });

    test('is found again by its phase run, with the work in it', async () => {
      await does(await clone(), 'echo work > a.txt');
      await pushTo(p, 'main', { files: { 'b.txt': 'b\n' } });
      const again = await clone({ at: tipOf(p, 'main') });
      const oid = await collect(again);
      expect(await git(await host.mirror(p.at), 'rev-parse', `${oid}^`)).toBe(main);
      expect(await filesOf(oid)).toContain('a.txt');
    });

    test('half made it is made again', async () => {
      await mkdir(join(folder, 'ada+sandbox', 'run-1', 'clone'), { recursive: true });
      await writeFile(join(folder, 'ada+sandbox', 'run-1', 'clone', 'rubbish'), '');
      expect(await does(await clone(), 'ls')).not.toContain('rubbish');
    });

    test('of a commit nobody has is an error, and nothing is left', async () => {
      await expect(clone({ at: 'e'.repeat(40) })).rejects.toThrow(`No clone could be made at ${'e'.repeat(40)}`);
      expect(await readdir(join(folder, 'ada+sandbox'))).toEqual([]);
    });

    test.each(['../up', 'a/b', '', '.', '-x'])('cannot be called %j', async (phaseRun) => {
      await expect(clone({ phaseRun })).rejects.toThrow('cannot be called');
    });

    test('is refused where files would be missing: submodules, LFS', async () => {
      const lfs = await pushTo(p, 'lfs', {
        files: { 'media/.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n' },
      });
      await expect(clone({ at: lfs })).rejects.toMatchObject({
        problem: 'unsupported-repository',
        message: expect.stringContaining('Git LFS'),
      });
      const mirror = await host.mirror(p.at);
      const link = { files: {}, parent: main, message: 'Submodule' };
      const empty = await host.writeCommit(p.at, link);
      const tree = await gitInput(mirror, `160000 commit ${main}\tvendor\n`, 'mktree');
      const at = await gitInput(mirror, 'Submodule', 'commit-tree', tree, '-p', empty);
      await expect(clone({ at })).rejects.toMatchObject({
        problem: 'unsupported-repository',
        message: expect.stringContaining('submodules'),
      });
      expect(await readdir(join(folder, 'ada+sandbox'))).toEqual([]);
    });

    test('a run that was stopped is not opened', async () => {
      await expect(clone({ signal: AbortSignal.abort(new Error('stopped by ada')) })).rejects.toThrow('stopped by ada');
      expect(commands).toEqual([]);
    });
  });

  describe(`commands in ${name}`, () => {
    test('pass or fail by their exit code, with what they printed in order', async () => {
      const opened = await clone();
      expect(await opened.run('echo one; echo two >&2; echo three', signal)).toEqual({
        passed: true,
        output: 'one\ntwo\nthree\n',
      });
      expect(await opened.run('echo bad >&2; exit 3', signal)).toEqual({ passed: false, output: 'bad\n(exit code 3)' });
      expect(await opened.run('kill -9 $$', signal)).toMatchObject({ passed: false });
      expect(await opened.check({ kind: 'command', run: 'sh test.sh' }, signal)).toMatchObject({ passed: true });
    });

    test('that do not end in time have neither passed nor failed', async () => {
      const opened = await clone();
      started = () => p.clock.advance(CONFIG.commandTimeoutMs);
      const outcome = await opened.check({ kind: 'command', run: 'sleep 1000' }, signal);
      expect(outcome).toEqual({ passed: false, timedOut: true, output: '(stopped after 60 s: its time was up)' });
    });

    test('find a home, and nothing of ours in their environment', async () => {
      const opened = await clone();
      const names = (await does(opened, 'cd "$HOME"; touch mine; env')).split('\n').map((line) => line.split('=')[0]);
      const known = [
        'PATH',
        'HOME',
        'TMPDIR',
        'LANG',
        'CI',
        'GIT_CONFIG_NOSYSTEM',
        'GIT_TERMINAL_PROMPT',
        'SLUICE_CACHE',
        'INSIDE',
      ];
      expect(
        names.filter(
          (each) =>
            !known.includes(each ?? '') && !['PWD', 'OLDPWD', '_', 'SHLVL', 'SLUICE_RUN_TAG'].includes(each ?? ''),
        ),
      ).toEqual([]);
      expect(await readdir(opened.home)).toEqual(['mine', 'tmp']);
    });

    test('files are looked at letter by letter', async () => {
      const opened = await clone();
      await does(opened, String.raw`mkdir src; printf 'one\ntwo (2)\n' > src/a.js; ln -s src/a.js link.js`);
      const verdict = async (check: Parameters<Clone['check']>[0]) => (await opened.check(check, signal)).passed;
      expect(await verdict({ kind: 'file_exists', path: 'src/a.js' })).toBe(true);
      expect(await verdict({ kind: 'file_exists', path: 'link.js' })).toBe(true);
      expect(await verdict({ kind: 'file_exists', path: 'src/b.js' })).toBe(false);
      expect(await verdict({ kind: 'file_exists', path: 'src' })).toBe(false);
      expect(await verdict({ kind: 'file_contains', path: 'src/a.js', text: 'one\ntwo (2)' })).toBe(true);
      expect(await verdict({ kind: 'file_contains', path: 'src/a.js', text: 'two.(2)' })).toBe(false);
      expect(
        await opened.check({ kind: 'grep', path: 'link.js', pattern: String.raw`^two \([0-9]+\)$` }, signal),
      ).toEqual({ passed: true, output: '2:two (2)\n' });
      expect(await opened.check({ kind: 'grep', path: 'src/a.js', pattern: '^three' }, signal)).toEqual({
        passed: false,
        output: 'No line of src/a.js matches.',
      });
      expect(await opened.check({ kind: 'grep', path: 'src/a.js', pattern: '(' }, signal)).toMatchObject({
        passed: false,
      });
      expect(await verdict({ kind: 'grep', path: 'src/a.js', pattern: '--help' })).toBe(false);
    });

    test('nothing outside the clone is looked at, however it is linked', async () => {
      const secret = join(await testFolder(), 'secret.txt');
      await writeFile(secret, 'hunter2\n');
      const opened = await clone();
      await does(opened, `ln -s ${secret} a; ln -s ${join(secret, '..')} b; ln -s / c; mkfifo d; ln -s a e`);
      for (const path of [
        'a',
        'b/secret.txt',
        `c${secret}`,
        'd',
        'e',
        secret,
        `../../../../../../..${secret}`,
        '../home/tmp',
        '.git/config',
      ]) {
        for (const check of [
          { kind: 'file_exists', path },
          { kind: 'file_contains', path, text: 'hunter2' },
          { kind: 'grep', path, pattern: 'hunter' },
        ] as const)
          expect([path, check.kind, (await opened.check(check, signal)).passed]).toEqual([path, check.kind, false]);
      }
    });

    test('a sandbox that does not start is not a failing test', async () => {
      const opened = await clone();
      await rm(opened.path, { recursive: true });
      await expect(opened.run('true', signal)).rejects.toThrow('The sandbox could not run a command');
    });

    test('stopped, they end by the reason of the stop', async () => {
      const opened = await clone();
      const stop = new AbortController();
      sabotage = async () => stop.abort(new Error('stopped by ada'));
      await opened.run('true', stop.signal);
      await expect(opened.run('true', stop.signal)).rejects.toThrow('stopped by ada');
    });
  });

  describe(`what is left in ${name}`, () => {
    test('nothing is null', async () => {
      const opened = await clone();
      await does(opened, 'printf ignored > ../home/x; printf "*.log\n" > .git/info/exclude; touch a.log');
      expect(await collect(opened)).toBeNull();
    });

    test('commits and what was not committed leave together, and more later', async () => {
      const opened = await clone();
      await does(
        opened,
        'echo 1 > a.txt; git add a.txt; git commit -qm "By the agent"; echo 2 > "b \' c.txt"; rm README.md; git checkout -q --detach',
      );
      const oid = await collect(opened);
      expect(await git(await host.mirror(p.at), 'log', '--format=%s %an', String(oid), `^${main}`)).toBe(
        'Work in progress Sluice\nBy the agent Sluice',
      );
      expect(await filesOf(oid)).toEqual(['a.txt', "b ' c.txt", 'package.json', 'test.sh']);
      expect(await collect(opened)).toBe(oid);
      await does(opened, 'echo 3 > c.txt');
      expect(await filesOf(await collect(opened))).toContain('c.txt');
    });

    test('a lock of a git that was killed does not matter', async () => {
      const opened = await clone();
      await does(opened, 'echo 1 > a.txt; touch .git/index.lock .git/HEAD.lock');
      expect(await filesOf(await collect(opened))).toContain('a.txt');
    });

    test('a git that was killed in the middle of anything does not matter', async () => {
      const opened = await clone();
      const commits = 'for n in 1 2 3; do echo $n > $n.txt; git add -A; git commit -qm $n; done';
      // As if killed at the second of three commits, with all the locks there are.
      const cutShort = `git -c sequence.editor="sed -i '2i exec false'" rebase -q -i HEAD~3 || true`;
      await does(opened, `${commits}; echo new > new.txt; ${cutShort}; test -d .git/rebase-merge; test ! -e 3.txt`);
      await does(opened, 'mkdir -p .git/refs/heads; touch .git/index.lock .git/config.lock .git/refs/heads/work.lock');
      expect(await filesOf(await collect(opened))).toEqual(
        expect.arrayContaining(['1.txt', '2.txt', '3.txt', 'new.txt']),
      );
    });

    test.each([
      [
        'a repository within the repository',
        'mkdir x; cd x; git init -q; git -c user.name=x -c user.email=x commit -q --allow-empty -m x',
        /a git repository within/,
      ],
      ['files under LFS', 'echo "*.bin filter=lfs" > .gitattributes', /Git LFS/],
      ['only commits taken back', 'git checkout -q -B work base', /only takes back/],
      ['no git any more', 'rm -rf .git', /could not hand the work over/],
    ])('%s is refused with the reason', async (_, script, why) => {
      const at = await pushTo(p, 'topic', { files: { 'topic.txt': 't\n' } });
      const opened = await clone({ at });
      await does(opened, script);
      await expect(collect(opened)).rejects.toMatchObject({
        name: 'WorkspaceError',
        problem: 'refused-result',
        message: expect.stringMatching(why),
      });
    });

    test('a change to what CI runs is refused on the host, however it was committed', async () => {
      const opened = await clone();
      const script =
        'mkdir -p .github/workflows; echo "on: push" > .github/workflows/ci.yml; git add -A; git commit -qm ci';
      await does(opened, script);
      await expect(collect(opened)).rejects.toMatchObject({
        name: 'OffLimitsError',
        problem: 'off-limits',
        message: expect.stringContaining('.github/workflows/ci.yml'),
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      });
    });
  });

  describe(`setup in ${name}`, () => {
    const configure = (text: string) => pushTo(p, 'main', { files: { '.github/sluice.yml': text } });

    test('runs once, and what it makes or changes is not the agent’s work', async () => {
      const at = await configure(
        'setup: "echo x >> ran; mkdir \\"deps [1]\\" deps; touch deps/a \\"deps [1]/b\\"; echo changed > README.md"\n',
      );
      const opened = await clone({ at });
      expect(await does(await clone({ at }), 'cat ran README.md; ls deps')).toBe('x\n# Sandbox\na');
      expect(await collect(opened)).toBeNull();
      await does(opened, 'echo 1 > a.txt');
      expect(await filesOf(await collect(opened))).toEqual([
        '.github/sluice.yml',
        'README.md',
        'a.txt',
        'package.json',
        'test.sh',
      ]);
    });

    test('is taken from the base branch, never from the branch worked on', async () => {
      await configure('setup: touch from-base\n');
      const at = await pushTo(p, 'topic', { files: { '.github/sluice.yml': 'setup: touch from-topic\n' } });
      expect(await does(await clone({ at }), 'ls from-*')).toBe('from-base');
    });

    test('fills the cache only from the base branch itself', async () => {
      const base = await configure(
        'setup: \'test "$FIRST" = "" && touch "$SLUICE_CACHE/x" || test -e "$SLUICE_CACHE/x"\'\n',
      );
      const accesses = () =>
        commands.splice(0).map(({ mounts }) => mounts.find(({ path }) => path.endsWith('.cache'))?.access);
      const first = await clone({ at: base });
      await first.run('true', signal);
      expect(accesses()).toEqual(['read', 'write', 'write', 'read']);
      const topic = await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
      await clone({ at: topic, phaseRun: 'run-2' });
      expect(accesses()).toEqual(['read', 'read', 'read']);
    });

    test('that fails is told with its output, and no clone is left', async () => {
      const at = await configure('setup: echo no such package >&2; exit 4\n');
      await expect(clone({ at })).rejects.toMatchObject({
        name: 'WorkspaceError',
        problem: 'setup-failed',
        message: expect.stringContaining('no such package\n(exit code 4)'),
        remedy: expect.stringContaining('.github/sluice.yml'),
      });
      expect(await readdir(join(folder, 'ada+sandbox'))).toEqual([]);
    });

    test('a wrong configuration is told with everything that is wrong', async () => {
      const at = await configure('setup: 3\ntests: npm test\n');
      await expect(clone({ at })).rejects.toMatchObject({
        problem: 'invalid-config',
        message: expect.stringMatching(/setup[^]*tests/),
      });
    });
  });

  describe(`a hostile agent in ${name}`, () => {
    /** Written by anything the agent planted, if it ever ran outside. */
    let marker: string;
    beforeEach(async () => {
      marker = join(await testFolder(), 'gained');
    });
    const planted = (): string => `{ [ -n "$INSIDE" ] || echo gained >> ${marker}; }`;
    const gained = (): Promise<boolean> =>
      lstat(marker).then(
        () => true,
        () => false,
      );
    const SCRIPTS: readonly (readonly [string, () => string])[] = [
      [
        'hooks',
        () =>
          `mkdir .git/hooks; for h in pre-commit post-commit post-checkout reference-transaction; do printf '#!/bin/sh\\n%s\\n' '${planted()}' > .git/hooks/$h; chmod +x .git/hooks/$h; done`,
      ],
      [
        'a hooks path',
        () =>
          `mkdir h; printf '#!/bin/sh\\n%s\\n' '${planted()}' > h/pre-commit; chmod +x h/pre-commit; git config core.hooksPath h`,
      ],
      ['a file monitor', () => `git config core.fsmonitor '${planted()}; false'`],
      [
        'filters',
        () =>
          `git config filter.evil.clean '${planted()}; cat'; git config filter.evil.smudge '${planted()}; cat'; echo '* filter=evil' > .gitattributes`,
      ],
      [
        'other programs',
        () =>
          `for key in core.pager core.sshCommand diff.external credential.helper gpg.program; do git config $key '${planted()}'; done; git config commit.gpgSign true`,
      ],
      ['a global configuration', () => `printf '[core]\\n\\tfsmonitor = "%s"\\n' '${planted()}' > "$HOME/.gitconfig"`],
    ];

    test.each(SCRIPTS)('gains nothing by %s', async (_, script) => {
      const opened = await clone();
      await does(opened, `${script()}\necho work > work.txt`);
      const oid = await collect(opened);
      expect(await filesOf(oid)).toContain('work.txt');
      expect(await host.push(p.at, [{ ref: 'refs/heads/work', expected: null, to: String(oid) }])).toEqual({
        kind: 'pushed',
      });
      await opened.dispose();
      expect(await gained()).toBe(false);
    });

    test('gains nothing by borrowing objects that are not there', async () => {
      const opened = await clone();
      await does(opened, 'echo /nowhere >> .git/objects/info/alternates; echo work > work.txt');
      expect(await filesOf(await collect(opened))).toContain('work.txt');
      expect(await readdir(join(await host.mirror(p.at), 'objects', 'info')).catch(() => [])).not.toContain(
        'alternates',
      );
    });

    // Without a sandbox the agent can read such files anyway.
    if (isSandboxed) {
      test('gains nothing by borrowing objects of somebody else', async () => {
        const elsewhere = await testFolder();
        await git(elsewhere, 'init', '--quiet');
        await writeFile(join(elsewhere, 'secret.txt'), 'hunter2\n');
        await git(elsewhere, 'add', '.');
        const blob = await git(elsewhere, 'rev-parse', ':secret.txt');
        const opened = await clone();
        await does(
          opened,
          `echo ${elsewhere}/.git/objects >> .git/objects/info/alternates
          git update-index --add --cacheinfo 100644,${blob},stolen.txt`,
        );
        await collect(opened).catch(() => null);
        const objects = await git(await host.mirror(p.at), 'cat-file', '--batch-all-objects', '--batch-check');
        expect(objects).not.toContain(blob);
      });
    }

    test('gains nothing by a link where the result should be', async () => {
      const opened = await clone();
      await does(opened, 'echo work > work.txt');
      sabotage = async ({ env }) => {
        if (env['BUNDLE'] === undefined) return;
        await rm(env['BUNDLE']);
        await symlink('/etc/passwd', env['BUNDLE']);
      };
      await expect(collect(opened)).rejects.toMatchObject({
        problem: 'refused-result',
        message: expect.stringContaining('no plain file'),
      });
    });

    test('is stopped at a result that is too large', async () => {
      workspace = open({ maxBundleBytes: 50_000 });
      const opened = await clone();
      await does(opened, 'head -c 5000000 /dev/urandom > big.bin');
      await expect(collect(opened)).rejects.toMatchObject({
        problem: 'refused-result',
        message: expect.stringContaining('larger than the 50000 bytes allowed'),
      });
    });

    test('cannot make us remove anything but its own', async () => {
      const outside = await testFolder();
      await writeFile(join(outside, 'kept.txt'), '');
      const opened = await clone();
      await does(
        opened,
        `ln -s ${outside} out; mkdir -p deep/er; ln -s ${outside} deep/er/out; chmod 500 deep/er; ln -s ${outside} "$HOME/out"`,
      );
      await opened.dispose();
      await opened.dispose();
      expect(await readdir(join(folder, 'ada+sandbox'))).toEqual([]);
      expect(await readdir(outside)).toEqual(['kept.txt']);
    });

    test('a folder that leads elsewhere is left alone', async () => {
      const opened = await clone();
      const outside = await testFolder();
      await mkdir(join(outside, 'run-1'));
      await rm(join(folder, 'ada+sandbox'), { recursive: true });
      await symlink(outside, join(folder, 'ada+sandbox'));
      await expect(opened.dispose()).rejects.toThrow('left alone');
      expect(await readdir(outside)).toEqual(['run-1']);
      await chmod(outside, 0o700);
    });
  });
}

/** Runs git with something on stdin. */
async function gitInput(cwd: string, input: string, ...args: string[]): Promise<string> {
  const { execa } = await import('execa');
  const env = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  return (await execa('git', args, { cwd, input, env })).stdout;
}
