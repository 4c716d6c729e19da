import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import type { ProcessSample, Sandbox, SandboxedCommand, SandboxResult } from '../../../src/ports/sandbox.js';
import { processesNaming } from '../../support/sandbox/processes.js';

const GRACE_MS = 5000;
const TIMEOUT_MS = 60_000;

type OpenSandbox = (limits: { readonly clock: ManualClock; readonly graceMs: number }) => Sandbox;

/** What every sandbox has to do, also the one without isolation. */
export function sandboxContract(name: string, open: OpenSandbox): void {
  const clock = new ManualClock();
  const sandbox = open({ clock, graceMs: GRACE_MS });
  const place = { folder: '' };
  beforeAll(async () => {
    place.folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  });
  afterAll(async () => {
    await rm(place.folder, { recursive: true, force: true });
  });

  const shell = async (script: string, options: Partial<SandboxedCommand> = {}): Promise<SandboxResult> =>
    sandbox.run({
      argv: ['/bin/sh', '-c', script],
      cwd: place.folder,
      env: { PATH: '/usr/bin:/bin' },
      mounts: [{ path: place.folder, access: 'write' }],
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 10_000,
      ...options,
    });
  /** Does something as soon as the script prints `ready`. */
  const onReady = (act: () => void): Pick<SandboxedCommand, 'onLine'> => ({
    onLine: (line) => void (line === 'ready' && act()),
  });
  const marker = (): string => `90${Math.floor(Math.random() * 1e9)}`;

  describe(`a command in ${name}`, () => {
    test('runs in its folder, with its input, and its ending is told', async () => {
      const result = await shell('pwd; cat; echo wrong >&2; echo made > made.txt; exit 3', { input: 'given' });
      expect(result).toEqual({
        end: { kind: 'exited', code: 3 },
        stdout: `${place.folder}\ngiven`,
        stderr: 'wrong\n',
        durationMs: 0,
      });
      expect(await readFile(join(place.folder, 'made.txt'), 'utf8')).toBe('made\n');
    });

    test('has nothing on stdin unless given', async () => {
      expect(await shell('cat; echo over')).toMatchObject({ stdout: 'over\n' });
    });

    test('can be looked at from outside, with all it has started', async () => {
      const abort = new AbortController();
      const looks: (() => ProcessSample)[] = [];
      const seen: ProcessSample[] = [];
      // Time is counted in ticks: it works until it has used two of them.
      const work = 'while read -r line < /proc/$$/stat; set -- $line; [ $((${14} + ${15})) -lt 2 ]; do :; done';
      const running = shell(`${work}; sleep 1000 & sleep 1000 & echo ready; wait`, {
        signal: abort.signal,
        onStart: (look) => void looks.push(look),
        ...onReady(() => {
          seen.push(...looks.map((look) => look()));
          abort.abort();
        }),
      });
      expect((await running).end).toEqual({ kind: 'aborted' });
      expect(seen).toEqual([{ processes: expect.any(Number), cpuMs: expect.any(Number), rssMb: expect.any(Number) }]);
      expect(seen[0]?.processes).toBeGreaterThanOrEqual(3);
      expect(seen[0]?.cpuMs).toBeGreaterThan(0);
      expect(seen[0]?.rssMb).toBeGreaterThan(0);
      expect(looks[0]?.()).toMatchObject({ processes: 0 });
    });

    test('inherits nothing of our environment', async () => {
      process.env['SLUICE_TEST_SECRET'] = 'planted';
      const { stdout } = await shell('env', { env: { PATH: '/usr/bin:/bin', GIVEN: 'yes' } });
      delete process.env['SLUICE_TEST_SECRET'];
      const names = stdout.split('\n').flatMap((line) => line.split('=')[0] ?? []);
      const own = ['PATH', 'GIVEN', 'PWD', 'SHLVL', '_', 'SLUICE_RUN_TAG', ''];
      expect(names.filter((name) => !own.includes(name))).toEqual([]);
      expect(stdout).toContain('GIVEN=yes');
    });

    test('that dies by a signal is told so', async () => {
      expect(await shell('kill -9 $$')).toMatchObject({ end: { kind: 'killed', signal: 'SIGKILL' } });
    });

    test('that is not there never started', async () => {
      const { end } = await shell('', { argv: ['/no/such/program'] });
      expect(end).toMatchObject({ kind: 'failed', why: expect.stringMatching(/ENOENT|No such file/) });
    });

    test('in a folder that is not there never started', async () => {
      expect(await shell('', { cwd: '/no/such/folder' })).toMatchObject({ end: { kind: 'failed' } });
    });

    test('is read line by line, to the last one without an end', async () => {
      const lines: string[] = [];
      await shell('printf "one\\ntwo\\n\\nthree"', { onLine: (line) => lines.push(line) });
      expect(lines).toEqual(['one', 'two', '', 'three']);
    });

    test('that floods us keeps its first words too where that is asked for', async () => {
      const { stdout } = await shell('echo first; seq 1 10000; echo last', { headBytes: 1_000 });
      expect(stdout).toMatch(/^first\n1\n[\s\S]*bytes left out[\s\S]*\nlast\n$/);
      expect(stdout.length).toBeLessThan(11_100);
    });

    test('that floods us is cut, the newest kept', async () => {
      const result = await shell('yes flood | head -c 50000000; yes wrong | head -c 5000000 >&2; echo END');
      expect(result.end).toEqual({ kind: 'exited', code: 0 });
      expect(result.stdout).toHaveLength(10_000);
      expect(result.stdout.slice(-6)).toMatch(/END\n$/);
      expect(result.stderr).toHaveLength(10_000);
    });

    test('is asked to end at its deadline', async () => {
      const script = 'trap "echo bye; exit 0" TERM; echo ready; sleep 1000 & wait';
      const result = await shell(script, { ...onReady(() => clock.advance(TIMEOUT_MS)) });
      expect(result).toMatchObject({ end: { kind: 'timed-out' }, stdout: 'ready\nbye\n', durationMs: TIMEOUT_MS });
    });

    test('that ignores being asked is ended after the grace', async () => {
      const mark = marker();
      const abort = new AbortController();
      const script = `trap "" TERM; echo ready; sleep ${mark} & wait; sleep ${mark}`;
      const result = await shell(script, {
        signal: abort.signal,
        ...onReady(() => {
          abort.abort();
          clock.advance(GRACE_MS);
        }),
      });
      expect(result).toMatchObject({ end: { kind: 'aborted' }, durationMs: GRACE_MS });
      expect(processesNaming(mark)).toEqual([]);
    });

    test('is not started once its signal has come', async () => {
      const result = await shell('echo ran > late.txt', { signal: AbortSignal.abort() });
      expect(result.end).toEqual({ kind: 'aborted' });
      await expect(readFile(join(place.folder, 'late.txt'), 'utf8')).rejects.toThrow('ENOENT');
    });

    test('has one ending: the first reason wins', async () => {
      const abort = new AbortController();
      const both = (first: () => void, second: () => void): Promise<SandboxResult> =>
        shell('trap "exit 7" TERM; echo ready; sleep 1000 & wait', {
          signal: abort.signal,
          ...onReady(() => {
            first();
            second();
          }),
        });
      const pass = (): void => clock.advance(TIMEOUT_MS);
      expect((await both(pass, () => abort.abort())).end).toEqual({ kind: 'timed-out' });
      expect((await both(() => abort.abort(), pass)).end).toEqual({ kind: 'aborted' });
    });

    /** A process that says it is there, and then sleeps under a name by which it is found. */
    const sleeper = (mark: string): string => `sh -c "touch ${mark}; exec sleep ${mark}"`;
    const whenUp = (mark: string, then: string): string => `until [ -e ${mark} ]; do :; done; ${then}`;

    test.each([
      ['a child in the background', (mark: string) => `${sleeper(mark)} >/dev/null 2>&1 &`],
      ['a child with a session of its own', (mark: string) => `setsid ${sleeper(mark)} &`],
      ['a daemon that holds our output', (mark: string) => `(setsid ${sleeper(mark)} & exit) &`],
      ['a child that ignores TERM', (mark: string) => `(trap "" TERM; exec ${sleeper(mark)}) &`],
    ])('leaves nothing behind: %s', async (_, spawn) => {
      const mark = marker();
      const result = await shell(`${spawn(mark)} ${whenUp(mark, 'echo done')}`);
      expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: 'done\n' });
      expect(processesNaming(mark)).toEqual([]);
    });

    test('leaves nothing behind, not even a child that is only just starting', async () => {
      const mark = marker();
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(Array.from({ length: 8 }, () => shell(`sleep ${mark} & setsid sleep ${mark} &`)));
      }
      expect(processesNaming(mark)).toEqual([]);
    });

    test('leaves nothing behind when it is killed in the middle', async () => {
      const mark = marker();
      const abort = new AbortController();
      const script = `setsid ${sleeper(mark)} & ${whenUp(mark, 'echo ready; wait')}`;
      const result = await shell(script, { signal: abort.signal, ...onReady(() => abort.abort()) });
      expect(result.end).toEqual({ kind: 'aborted' });
      expect(processesNaming(mark)).toEqual([]);
    });
  });
}
