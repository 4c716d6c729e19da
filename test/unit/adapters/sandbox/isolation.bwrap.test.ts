import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Unsandboxed } from '../../../../src/adapters/sandbox/unsandboxed.js';
import { ManualClock } from '#pocket-github/clock';
import type { Mount, Sandbox } from '../../../../src/ports/sandbox.js';
import { openBubblewrap } from '../../../support/sandbox/bubblewrap.js';

const limits = { clock: new ManualClock(), graceMs: 1000 };
const bubblewrap = openBubblewrap(limits);
const none = new Unsandboxed(limits);

const SECRETS = {
  environment: 'canary-of-the-environment',
  redis: 'redis://:canary-of-redis@127.0.0.1:6379',
  home: 'canary-of-the-home',
  key: 'canary-of-a-key-file',
  git: 'canary-of-the-git-config',
};

const places = { home: '', elsewhere: '', clone: '' };
/** A process of the host with secrets in its environment, as the service itself has. */
const service = new AbortController();

beforeAll(async () => {
  places.home = await mkdtemp(join(homedir(), '.sluice-test-'));
  places.elsewhere = await mkdtemp(join(tmpdir(), 'isolation-'));
  places.clone = join(places.elsewhere, 'clone');
  await mkdir(places.clone);
  await writeFile(join(places.home, 'credentials'), SECRETS.home);
  await writeFile(join(places.elsewhere, 'app.pem'), SECRETS.key);
  await writeFile(join(places.elsewhere, 'gitconfig'), `[http]\n\textraHeader = ${SECRETS.git}\n`);
  const env = { APP_SECRET: SECRETS.environment, SLUICE_REDIS_URL: SECRETS.redis };
  const ready = new Promise<void>((resolve) => {
    const script = 'echo ready; sleep 1000 & wait';
    const command = { argv: ['/bin/sh', '-c', script], cwd: '/', env, mounts: [], timeoutMs: 60_000 } as const;
    void none.run({ ...command, maxOutputBytes: 100, signal: service.signal, onLine: () => resolve() });
  });
  await ready;
});
afterAll(async () => {
  service.abort();
  await Promise.all([places.home, places.elsewhere].map((folder) => rm(folder, { recursive: true, force: true })));
});

async function run(sandbox: Sandbox, script: string, mounts: readonly Mount[] = []): Promise<string> {
  const { stdout, stderr } = await sandbox.run({
    argv: ['/bin/bash', '-c', script],
    cwd: places.clone,
    env: { PATH: '/usr/bin:/bin', HOME: places.clone },
    mounts: [{ path: places.clone, access: 'write' }, ...mounts],
    timeoutMs: 60_000,
    maxOutputBytes: 5_000_000,
  });
  return `${stdout}${stderr}`;
}

/** Everything an agent might look at that knows where things are on the host. */
const probe = (): string => `
  env
  tr '\\0' '\\n' < /proc/self/environ
  for process in /proc/[0-9]*; do
    cat "$process/environ" "$process/cmdline" "$process/mountinfo" | tr '\\0' '\\n'
    ls -l "$process/fd" "$process/cwd" "$process/root"
    cat "$process/root${places.home}/credentials" "$process/cwd/../app.pem"
  done
  ps auxeww
  cat ${places.home}/* ${places.elsewhere}/*
  GIT_CONFIG_GLOBAL=${places.elsewhere}/gitconfig git config --list --show-origin
  cat ~/.ssh/* /root/.gitconfig /root/.npmrc /etc/gitconfig /etc/shadow /etc/ssl/private/* /run/secrets/* /var/run/*`;

/** The rest of what can be read in there, file by file. */
const SEARCH = `find / -path /usr -prune -o -path /proc -prune -o -path /dev -prune -o -type f -readable -exec cat {} +
  ls -laR / --ignore=usr --ignore=proc`;

const found = (text: string): string[] => Object.values(SECRETS).filter((secret) => text.includes(secret));

describe('the secrets of the host', () => {
  test('are found by the probe where there is no sandbox', async () => {
    expect(found(await run(none, probe()))).toEqual(Object.values(SECRETS));
  });

  test('are not found in bubblewrap', async () => {
    const text = (await run(bubblewrap, probe())) + (await run(bubblewrap, SEARCH));
    expect(text).toContain('HOME=');
    expect(found(text)).toEqual([]);
  });

  test('are not in the environment of any process inside', async () => {
    const environ = await run(bubblewrap, "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sort -u");
    const names = environ.split('\n').flatMap((line) => (line === '' ? [] : [line.split('=')[0] ?? '']));
    // The tag names the run and the process that started it, by which leftovers are found; it opens nothing.
    expect(new Set(names)).toEqual(new Set(['HOME', 'PATH', 'PWD', 'SHLVL', '_', 'SLUICE_RUN_TAG']));
  });
});

describe('inside bubblewrap', () => {
  test('only our own processes exist', async () => {
    const pids = (await run(bubblewrap, 'for p in /proc/[0-9]*; do echo "${p#/proc/}"; done')).trim().split('\n');
    expect(pids.length).toBeLessThanOrEqual(3);
    expect(pids).not.toContain(String(process.pid));
  });

  test('no folder of the host is there but the system and the mounts', async () => {
    const top = (await run(bubblewrap, 'ls /')).trim().split('\n');
    const system = ['bin', 'dev', 'etc', 'lib', 'lib32', 'lib64', 'libx32', 'proc', 'sbin', 'tmp', 'usr'];
    expect(top.filter((name) => !system.includes(name))).toEqual([]);
    expect((await run(bubblewrap, `ls ${places.elsewhere}`)).trim()).toBe('clone');
    const others = (await run(bubblewrap, `ls ${homedir()} /home /var /run /srv /mnt`)).trim().split('\n');
    expect(others.filter((line) => !line.includes('No such file'))).toEqual([]);
  });

  test('nothing can be written but writable mounts and what goes with the process', async () => {
    const script = `for f in /x /usr/x /etc/x /bin/x ${places.elsewhere}/read/x; do echo no > $f && echo "wrote $f"; done
      echo yes > ${places.clone}/x && echo yes > /tmp/x && echo wrote`;
    await mkdir(join(places.elsewhere, 'read'), { recursive: true });
    const text = await run(bubblewrap, script, [{ path: join(places.elsewhere, 'read'), access: 'read' }]);
    expect(text.match(/^wrote.*$/gm)).toEqual(['wrote']);
    expect(await readFile(join(places.clone, 'x'), 'utf8')).toBe('yes\n');
    await expect(readFile('/tmp/x', 'utf8')).rejects.toThrow('ENOENT');
  });

  test('programs from elsewhere are there when the operator shows them, and cannot be changed', async () => {
    const tools = join(places.home, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'greet'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
    const shown = openBubblewrap(limits, [tools]);
    expect(await run(shown, `${tools}/greet; echo no > ${tools}/greet; cat ${places.home}/credentials`)).toMatch(
      /^hello\n.*Read-only file system\n.*No such file or directory\n$/,
    );
  });

  test('no capability is held, nor gained in a namespace of its own', async () => {
    expect(await run(bubblewrap, 'grep CapEff /proc/self/status')).toMatch(/CapEff:\s0{16}$/m);
    expect(await run(bubblewrap, `mount --bind ${places.clone} /usr || echo refused`)).toContain('refused');
  });

  test('no port of the host can be reached, by any of its addresses', async () => {
    const greeting = 'you got through';
    const server = createServer((socket) => socket.end(greeting));
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const { port } = server.address() as { port: number };
    const addresses = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    );
    const script = ['127.0.0.1', 'localhost', ...addresses]
      .map((address) => `timeout 5 bash -c 'cat < /dev/tcp/${address}/${port}';`)
      .join('\n');
    expect(await run(none, script)).toContain(greeting);
    expect(await run(bubblewrap, script)).not.toContain(greeting);
    await new Promise((resolve) => server.close(resolve));
  });

  test('a mount that an earlier run replaced by a link is refused', async () => {
    const cache = join(places.clone, 'cache');
    await symlink(places.home, cache);
    const { end } = await bubblewrap.run({
      argv: ['/bin/cat', join(cache, 'credentials')],
      cwd: places.clone,
      env: {},
      mounts: [
        { path: cache, access: 'read' },
        { path: places.clone, access: 'write' },
      ],
      timeoutMs: 60_000,
      maxOutputBytes: 1000,
    });
    await rm(cache);
    expect(end).toEqual({ kind: 'failed', why: `${cache} leads out of ${places.clone}, to ${places.home}.` });
  });
});
