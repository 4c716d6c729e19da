import { beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectSandbox } from '../../../src/adapters/sandbox/detect-sandbox.js';
import { Bubblewrap } from '../../../src/adapters/sandbox/bubblewrap.js';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';
import { JUDGED_CALLS, REFUSED_CALLS } from '../../../src/adapters/sandbox/seccomp/system-calls.js';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import type { Sandbox } from '../../../src/ports/sandbox.js';
import { openLimitedShell } from '../../support/sandbox/limited-shell.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

/* C5: an agent talks to the kernel itself. */

const ROOM = {
  memoryMb: 4096,
  processes: 500,
  diskMb: 2000,
  files: 100_000,
  fileMb: 1000,
  openFiles: 4096,
  tmpMb: 256,
};
type Shell = Awaited<ReturnType<typeof openLimitedShell>>['shell'];
const held: { shell: Shell; unfiltered: Shell } = { shell: notOpen, unfiltered: notOpen };
function notOpen(): never {
  throw new Error('not open yet');
}
beforeAll(async () => {
  held.shell = (await openLimitedShell(openBubblewrap, ROOM)).shell;
  held.unfiltered = (await openLimitedShell(withoutFilter, ROOM)).shell;
});

const withoutFilter = (limits: ProcessLimits, tools: readonly string[] = []): Sandbox =>
  new Bubblewrap({ ...limits, program: 'bwrap', tools, optional: ['small-tmp'] });

const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
const EPERM = 1;
const ENOSYS = 38;
const NEWUSER = 0x10000000;

/** The error of each call, made with these arguments; 0 when it worked. */
async function errorsOf(shell: Shell, calls: readonly (readonly (number | null)[])[]): Promise<readonly number[]> {
  const lines = calls.map(([number, ...given]) => {
    const args = [...given, 0, 0, 0, 0, 0, 0].slice(0, 6).join(', ');
    return `print syscall(${number}, ${args}) < 0 ? $! + 0 : 0, "\\n";`;
  });
  const { stdout, stderr } = await shell(`perl -e '${lines.join(' ')}'`);
  expect(stderr).toBe('');
  return stdout.trim().split('\n').map(Number);
}

describe('calls to the kernel', () => {
  test('each call that no build needs is refused', async () => {
    const calls = Object.entries(REFUSED_CALLS).flatMap(([name, numbers]) =>
      numbers[machine] === null ? [] : [{ name, number: numbers[machine] }],
    );
    const errors = await errorsOf(
      held.shell,
      calls.map(({ number }) => [number]),
    );
    expect(calls.filter((_, index) => errors[index] !== EPERM)).toEqual([]);
    expect(errors).toHaveLength(calls.length);
  });

  test('it is the filter that refuses them', async () => {
    const { keyctl, io_uring_setup: ring, kcmp, fsopen } = REFUSED_CALLS;
    const calls = [[keyctl[machine], 0, -3, 1], [ring[machine]], [kcmp[machine], 1, 1, 99]];
    const errors = await errorsOf(held.unfiltered, calls);
    expect(errors).not.toContain(EPERM);
    expect(await errorsOf(held.shell, [...calls, [fsopen[machine]]])).toEqual([EPERM, EPERM, EPERM, EPERM]);
  });

  test('no namespace is made, by none of the three calls', async () => {
    const { unshare, clone, clone3 } = JUDGED_CALLS;
    const calls = [[unshare[machine], NEWUSER], [unshare[machine], 0x80], [clone[machine], NEWUSER], [clone3[machine]]];
    expect(await errorsOf(held.shell, calls)).toEqual([EPERM, EPERM, EPERM, ENOSYS]);
    // Other things than namespaces may still be taken apart.
    expect(await errorsOf(held.shell, [[unshare[machine], 0x400]])).toEqual([0]);
  });

  test('words cannot be put into the input of a terminal', async () => {
    const { ioctl } = JUDGED_CALLS;
    const calls = [
      [ioctl[machine], 0, 0x5412],
      [ioctl[machine], 0, 0x541c],
      [ioctl[machine], 99, 0x5401],
    ];
    expect(await errorsOf(held.shell, calls)).toEqual([EPERM, EPERM, 9]);
  });

  test('nested user namespaces are off, also without the filter', async () => {
    const open = (limits: ProcessLimits): Sandbox =>
      new Bubblewrap({ ...limits, program: 'bwrap', optional: ['no-new-users'] });
    const { shell } = await openLimitedShell(open, ROOM);
    expect((await shell('unshare -Ur id')).stderr).toMatch(/unshare failed/);
    expect(await held.unfiltered('unshare -Ur true')).toMatchObject({
      end: { kind: 'exited', code: 0 },
    });
  });
});

/** A program of a few bytes for the Linux of 64-bit Intel machines. */
function program(code: readonly number[]): Uint8Array {
  const start = 0x400000;
  const bytes = Buffer.alloc(120 + code.length);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.set([2, 0, 62, 0, 1], 16);
  bytes.writeBigUInt64LE(BigInt(start + 120), 24);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.set([64, 0, 56, 0, 1], 52);
  bytes.set([1, 0, 0, 0, 5], 64);
  bytes.writeBigUInt64LE(BigInt(start), 80);
  bytes.writeBigUInt64LE(BigInt(start), 88);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 96);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 104);
  bytes.writeBigUInt64LE(0x1000n, 112);
  bytes.set(code, 120);
  return bytes;
}

/** Makes a call in one of three ways, and exits with the error it gave. */
const exitWithError = [0xf7, 0xd8, 0x89, 0xc7, 0xb8, 60, 0, 0, 0, 0x0f, 0x05];
const WAYS = {
  'as a 32-bit program does': [0xb8, 20, 0, 0, 0, 0xcd, 0x80],
  'by its x32 number': [0xb8, 39, 0, 0, 0x40, 0x0f, 0x05],
};

(process.arch === 'x64' ? describe : describe.skip)('calls under other numbers', () => {
  test.each(Object.entries(WAYS))('are refused %s', async (_, call) => {
    const folder = await mkdtemp(join(tmpdir(), 'calls-'));
    await writeFile(join(folder, 'call'), program([...call, ...exitWithError]), { mode: 0o755 });
    const there = { cwd: folder, mounts: [{ path: folder, access: 'read' as const }] };
    expect((await held.shell('./call', there)).end).toEqual({ kind: 'exited', code: EPERM });
    await rm(folder, { recursive: true });
  });
});

describe('what builds need', () => {
  const WORKS = {
    git: 'git init -q . && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x && git gc -q && git log --oneline',
    'node and its threads':
      'node -e \'new (require("worker_threads").Worker)("require(`fs`).writeFileSync(`made`, `x`)", { eval: true }).on("exit", process.exit)\' && cat made',
    'WebAssembly in node': 'node -e \'new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log("ok")\'',
    npm: 'echo \'{"name":"x","version":"1.0.0","scripts":{"t":"echo ran"}}\' > package.json && npm run --silent t && npm pack --silent',
    'a C compiler, where there is one':
      '! command -v make gcc > /dev/null || (printf \'#include <stdio.h>\\nint main() { puts("ok"); }\\n\' > x.c && make -s x && ./x)',
    'python, where there is one':
      '! [ -x /usr/bin/python3 ] || /usr/bin/python3 -c \'import multiprocessing as m; print(m.get_context("fork").Queue() is not None)\'',
    'tar, find, xargs and pipes':
      'mkdir a && touch a/{1..50} && tar czf a.tgz a && tar tzf a.tgz | xargs -n1 -P4 echo | wc -l',
  };
  test.each(Object.entries(WORKS))('%s', async (_, script) => {
    expect(await held.shell(script)).toMatchObject({ end: { kind: 'exited', code: 0 } });
  });
});

describe('a machine that cannot do all of it', () => {
  test('goes on with the guards that work, and says which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'detect-'));
    const script = `#!/bin/bash\nfor a; do [ "$a" = --disable-userns ] && { echo "bwrap: Unknown option" >&2; exit 1; }; done\nPATH=/usr/local/bin:/usr/bin:/bin exec bwrap "$@"\n`;
    await writeFile(join(folder, 'bwrap'), script, { mode: 0o755 });
    const { sandbox, why } = await detectSandbox({ clock: systemClock, graceMs: 1000, path: folder });
    await rm(folder, { recursive: true });
    expect({ why, guards: sandbox.guards }).toEqual({
      why: null,
      guards: ['namespaces', 'seccomp', 'small-tmp', 'rlimits', 'watcher'],
    });
  });
});
