import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { ROOT } from '../../support/source-files.js';

const CLI = join(ROOT, 'build/src/entry/cli/cli.js');

function sluice(...args: readonly string[]) {
  return sluiceIn(tmpdir(), ...args);
}

/** The same with a temporary folder of its own, to see what is left in it. */
function sluiceIn(folder: string, ...args: readonly string[]) {
  const env = { TMPDIR: folder, PATH: process.env['PATH'] ?? '' };
  return execa(process.execPath, [CLI, ...args], { reject: false, env, extendEnv: false });
}

const children = new Set<ReturnType<typeof sluice>>();

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function firstLine(stream: Readable): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  throw new Error('it ended without a line');
}

describe('sluice pocket', () => {
  test('prints one JSON object with everything a client needs, and leaves nothing behind', async () => {
    const running = sluice('pocket', '--json');
    children.add(running);
    const card = JSON.parse(await firstLine(running.stdout)) as {
      url: string;
      apiUrl: string;
      apps: { id: number; keyFile: string }[];
      tokens: Record<string, string>;
    };
    const response = await fetch(`${card.apiUrl}/user`, { headers: { authorization: `token ${card.tokens['wren']}` } });
    expect(await response.json()).toMatchObject({ login: 'wren' });
    expect((await fetch(`${card.url}/ada/tideline`)).status).toBe(200);
    const keyFile = card.apps[0]?.keyFile ?? '';
    expect(existsSync(keyFile)).toBe(true);
    running.kill('SIGINT');
    expect((await running).exitCode).toBe(0);
    expect(existsSync(keyFile)).toBe(false);
  });

  test('a bad seed is one clear message', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seed-'));
    const file = join(folder, 'world.yml');
    await writeFile(file, 'users: [{ login: "not a login" }]\n');
    const { exitCode, stderr } = await sluice('pocket', '--seed', file);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${file} is not a usable seed:\n  - users.0.login: a GitHub login`);
    await rm(folder, { recursive: true });
  });

  test('a seed that GitHub would refuse is one clear message too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seed-'));
    const file = join(folder, 'world.yml');
    await writeFile(
      file,
      'users: [{ login: ada }]\nrepositories: [{ name: ada/x, labels: [{ name: a, color: red }] }]\n',
    );
    const { exitCode, stderr } = await sluice('pocket', '--seed', file);
    await rm(folder, { recursive: true });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `sluice: ${file} is not a usable seed:\n  - Validation Failed\n  - Label color invalid`,
    });
  });

  test('leaves nothing behind when its terminal goes away', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hangup-'));
    const running = sluiceIn(folder, 'pocket', '--json');
    children.add(running);
    await firstLine(running.stdout);
    expect(await readdir(folder)).not.toEqual([]);
    running.kill('SIGHUP');
    expect((await running).exitCode).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('a port that is taken is one clear message', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const folder = await mkdtemp(join(tmpdir(), 'taken-'));
    const { exitCode, stderr } = await sluiceIn(folder, 'pocket', '--port', String(port));
    taken.close();
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(`^sluice: cannot listen on port ${port}: .*EADDRINUSE`),
    });
  });

  test.each([
    [['--port', 'eighty'], 'A port is a number from 0 to 65535.'],
    [['--webhook', 'http://elsewhere.example/hook'], 'Pocket GitHub talks to loopback addresses only.'],
    [['--nonsense'], "unknown option '--nonsense'"],
  ])('%j is refused', async (args, complaint) => {
    const { exitCode, stderr } = await sluice('pocket', ...args);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(complaint);
  });

  test('help names every option', async () => {
    const { stdout } = await sluice('pocket', '--help');
    for (const option of ['--port', '--seed', '--webhook', '--webhook-secret', '--manual-clock', '--json'])
      expect(stdout).toContain(option);
  });
});
