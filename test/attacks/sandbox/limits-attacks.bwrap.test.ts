import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openLimitedShell, SMALL, endedFor } from '../../support/sandbox/limited-shell.js';
import { processesNaming } from '../../support/sandbox/processes.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

/* C8–C11: an agent takes all it can get of the machine. */

type Shell = Awaited<ReturnType<typeof openLimitedShell>>;
const small: { shell: Shell['shell'] } = { shell: () => Promise.reject(new Error('not open yet')) };
beforeAll(async () => {
  small.shell = (await openLimitedShell(openBubblewrap)).shell;
});

/** A number of seconds that nobody else sleeps. */
const MARK = `85${process.pid}`;
const MEMFD = process.arch === 'arm64' ? 279 : 319;

describe('memory (C8)', () => {
  test('a command that takes more memory than allowed is ended, and it is said how much', async () => {
    const result = await small.shell(`perl -e '$x = "a" x (200 << 20); sleep ${MARK}'`);
    expect(result).toMatchObject(endedFor('memory'));
    expect(result.end).toMatchObject({ excess: { allowed: SMALL.memoryMb } });
    expect(processesNaming(MARK)).toEqual([]);
  });

  test('memory is added up over all processes, however they are related', async () => {
    const one = `setsid perl -e '$x = "a" x (20 << 20); sleep ${MARK}' &`;
    expect(await small.shell(`${one.repeat(8)} wait`)).toMatchObject(endedFor('memory'));
    expect(processesNaming(MARK)).toEqual([]);
  });

  test('files in memory that no process looks at count', async () => {
    const script = `$name = "x"; $fd = syscall(${MEMFD}, $name, 0); open(F, ">&=", $fd) or die;
      for (1..100) { syswrite(F, "a" x (1 << 20)) or die } sleep ${MARK}`;
    const { shell } = await openLimitedShell(openBubblewrap, { fileMb: 1000 });
    expect(await shell(`perl -e '${script}'`)).toMatchObject(endedFor('memory'));
  });

  test('memory that processes share is counted once', async () => {
    const script = '$n = 12 << 20; $x = "a" x $n; for (1..8) { if (!fork) { sleep 2; exit } } 1 while wait > 0';
    expect(await small.shell(`perl -e '${script}'`)).toMatchObject({ end: { kind: 'exited', code: 0 } });
  });

  test('shared memory that belongs to no process is refused, but for the little that databases lock with', async () => {
    const number = process.arch === 'arm64' ? 194 : 29;
    const script = `for (65536, 65537, 1 << 33) { print syscall(${number}, 0, $_, 0600) < 0 ? "refused " : "given " }`;
    expect((await small.shell(`perl -e '${script}'`)).stdout).toBe('given refused refused ');
  });

  test('the kernel ends what runs in the sandbox before it ends anything else', async () => {
    expect((await small.shell('cat /proc/self/oom_score_adj /proc/1/oom_score_adj')).stdout).toBe('1000\n1000\n');
    expect(readFileSync('/proc/self/oom_score_adj', 'utf8')).not.toBe('1000\n');
  });
});

describe('processes (C9)', () => {
  test('a command that starts too many processes is ended', async () => {
    const result = await small.shell(`for i in $(seq 40); do sleep ${MARK} & done; wait`);
    expect(result).toMatchObject(endedFor('processes'));
    expect(processesNaming(MARK)).toEqual([]);
  });

  test('processes that left their parents count', async () => {
    const result = await small.shell(`for i in $(seq 40); do (setsid sleep ${MARK} &); done; sleep ${MARK}`);
    expect(result).toMatchObject(endedFor('processes'));
  });

  test('a bomb of forks is ended whole', async () => {
    // Eight generations and no more, so that it hurts nobody when it is not ended.
    const bomb = `bomb() { [ $1 -gt 0 ] || exec sleep ${MARK}; (bomb $(($1 - 1))) & (bomb $(($1 - 1))) & wait; }; bomb 8`;
    expect(await small.shell(bomb)).toMatchObject({ end: { kind: 'limited' } });
    expect(processesNaming(MARK)).toEqual([]);
  });

  test('threads count', async () => {
    const { shell } = await openLimitedShell(openBubblewrap, { memoryMb: 1000, processes: 5 });
    const script =
      'for (let i = 0; i < 100; i += 1) require("fs").readFile("/dev/tty", () => {}); setInterval(() => {}, 1e6)';
    expect(await shell(`UV_THREADPOOL_SIZE=100 node -e '${script}'`)).toMatchObject(endedFor('threads'));
  });
});

describe('folders in memory (C10)', () => {
  test.each(['/tmp', '/dev/shm'])('%s takes no more than its size', async (folder) => {
    const script = `for i in 1 2 3 4 5 6; do head -c 1M /dev/zero > ${folder}/$i || echo full; done`;
    const { stdout, stderr } = await small.shell(script);
    expect(stdout).toBe('full\nfull\n');
    expect(stderr).toContain('No space left on device');
  });

  test('/dev itself takes nothing', async () => {
    expect((await small.shell('echo x > /dev/x || mkdir /dev/y')).stderr).toContain('Read-only file system');
  });
});

describe('disk (C11)', () => {
  const fill = 'for i in $(seq 40); do head -c 1M /dev/zero > $i; done';

  test('a command that fills its folders is ended', async () => {
    expect(await small.shell(`${fill}; sleep ${MARK}`)).toMatchObject(endedFor('disk'));
  });

  test('a command that goes on filling its folders after the first look is ended', async () => {
    // Before it is walked through anyway.
    const soon = { timeoutMs: 8_000 };
    expect(await small.shell(`sleep 1; ${fill}; sleep ${MARK}`, soon)).toMatchObject(endedFor('disk'));
  });

  test('a command that makes too many files is ended', async () => {
    expect(await small.shell(`mkdir a; touch a/{1..400}; sleep ${MARK}`)).toMatchObject(endedFor('files'));
  });

  test('files that were deleted while open count', async () => {
    const script = `for i in 1 2 3 4 5 6 7 8; do exec {fd}> x; rm x; head -c 3M /dev/zero >&$fd; done; sleep ${MARK}`;
    expect(await small.shell(script)).toMatchObject(endedFor('disk'));
  });

  test('folders nested too deep to be measured hide nothing', async () => {
    const script = `for (1..60) { mkdir "a" x 100; chdir "a" x 100 } sleep ${MARK}`;
    expect(await small.shell(`perl -e '${script}'`)).toMatchObject(endedFor('depth'));
  });

  test('holes, and other names of the same file, take nothing', async () => {
    const script = 'truncate -s 3G hole; head -c 3M /dev/zero > one; for i in $(seq 20); do ln one $i; done; sleep 1';
    const { shell } = await openLimitedShell(openBubblewrap, { fileMb: 4000 });
    expect(await shell(script)).toMatchObject({ end: { kind: 'exited', code: 0 } });
  });

  test('no file gets larger than allowed, and no dump is written', async () => {
    const result = await small.shell('ulimit -c; head -c 8M /dev/zero > big');
    expect(result).toMatchObject({ ...endedFor('file-size'), stdout: '0\n' });
    expect(await small.shell('ulimit -f unlimited; ulimit -n 100000')).toMatchObject({
      stderr: expect.stringMatching(/(?:cannot modify limit[\s\S]*){2}/),
    });
  });

  test('no process has more files open than allowed', async () => {
    const script = 'for (1..200) { open(my $f, "<", "/dev/null") or die "$!"; push(@f, $f) }';
    expect((await small.shell(`perl -e '${script}'`)).stderr).toContain('Too many open files');
  });
});

test('a run that takes too much does not affect the others', async () => {
  const { shell } = await openLimitedShell(openBubblewrap);
  const calm = shell('for i in 1 2 3 4 5 6; do echo $i; sleep 0.3; done');
  const greedy = await shell(`perl -e '$x = "a" x (200 << 20); sleep ${MARK}'`);
  expect(greedy).toMatchObject(endedFor('memory'));
  expect(await calm).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: '1\n2\n3\n4\n5\n6\n' });
});

test('what is only looked at for its growth may be over the limit already, and may not grow much more', async () => {
  const { shell, newFolder } = await openLimitedShell(openBubblewrap);
  const folder = await newFolder();
  const there = { cwd: folder, mounts: [{ path: folder, access: 'write' as const }] };
  const fill = (from: number, count: number): string =>
    `for i in $(seq ${from} ${from + count}); do head -c 1M /dev/zero > $i; done`;
  expect(await shell(`${fill(1, 40)}; sleep ${MARK}`, there)).toMatchObject(endedFor('disk'));
  expect(await shell('sleep 1; echo saved', { ...there, disk: 'growth' })).toMatchObject({ stdout: 'saved\n' });
  const more = await shell(`sleep 1; ${fill(50, 10)}; sleep ${MARK}`, { ...there, disk: 'growth' });
  expect(more).toMatchObject(endedFor('disk'));
});
