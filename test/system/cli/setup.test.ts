import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { parse } from 'yaml';
import { newAppKeys } from '#pocket-github/testing';
import { ROOT } from '../../support/source-files.js';

/* Registering the App, as far as it goes without github.com: a stand-in answers the one request GitHub gets. */

const CLI = join(ROOT, 'build/src/entry/cli/cli.js');
const SECRETS = { webhook_secret: 'wh-5e3a', client_secret: 'cs-77aa', client_id: 'Iv1.abc' };
const { privateKey } = newAppKeys();

function serve(cwd: string, env: Record<string, string>, ...flags: readonly string[]) {
  const child = execa(process.execPath, [CLI, 'serve', ...flags], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    extendEnv: false,
    reject: false,
  });
  children.add(child);
  return child;
}

const children = new Set<ReturnType<typeof serve>>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Exchanges any code for an App, as `POST /app-manifests/{code}/conversions` does. */
async function openRegistrar() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const html_url = 'https://github.example/apps/sluice-ada';
    const app = { id: 4711, slug: 'sluice-ada', html_url, pem: privateKey, ...SECRETS };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(app));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe('sluice serve without an App', () => {
  const at = { folder: '' };

  beforeEach(async () => {
    at.folder = await mkdtemp(join(tmpdir(), 'setup-'));
  });

  afterEach(async () => {
    await rm(at.folder, { recursive: true, force: true });
  });

  test('offers app.yml for registration, keeps what GitHub answers to itself, and says what to do next', async () => {
    const registrar = await openRegistrar();
    await writeFile(join(at.folder, '.env'), 'ANTHROPIC_BASE_URL=http://127.0.0.1:9\n');
    const running = serve(at.folder, {
      PORT: String(await freePort()),
      GITHUB_API_URL: `${registrar.url}/api/v3`,
      SLUICE_PUBLIC_URL: 'https://sluice.example.org/',
      NODE_ENV: 'production',
    });
    const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
    const { value: opening } = (await lines.next()) as { value: string };
    const [url = ''] = /http:\S+\d/.exec(opening) ?? [];

    const page = await (await fetch(url)).text();
    const [, json = ''] = /id="manifest" value='([^']+)'/.exec(page) ?? [];
    const manifest = JSON.parse(json) as Record<string, unknown>;
    const { default_permissions, default_events } = parse(
      await readFile(join(ROOT, 'app.yml'), 'utf8'),
    ) as typeof manifest;
    expect(manifest).toMatchObject({
      default_permissions,
      default_events,
      public: false,
      redirect_url: `${url}/probot/setup`,
      hook_attributes: { url: 'https://sluice.example.org/api/github/webhooks', active: true },
    });
    expect(page).toContain(`${registrar.url}/settings/apps/new`);

    const answer = await fetch(`${url}/probot/setup?code=c0de`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      'https://github.example/apps/sluice-ada/installations/new',
    ]);
    expect(registrar.asked).toEqual(['POST /api/v3/app-manifests/c0de/conversions']);

    running.kill('SIGTERM');
    const { exitCode, stdout, stderr } = await running;
    expect(exitCode).toBe(0);
    const envFile = join(at.folder, '.env');
    expect(stdout).toContain(`sluice serve --settings ${envFile}`);
    expect(`${stdout}${stderr}`).not.toMatch(/wh-5e3a|cs-77aa|PRIVATE KEY|c0de/);
    expect((await stat(envFile)).mode & 0o777).toBe(0o600);
    const saved = await readFile(envFile, 'utf8');
    expect(saved).toMatch(/^ANTHROPIC_BASE_URL=.*\nAPP_ID=4711\nPRIVATE_KEY="-----BEGIN.*"\nWEBHOOK_SECRET=wh-5e3a\n$/);

    // What was saved is enough for the next start, but for who pays.
    const next = await serve(at.folder, {}, '--settings', envFile);
    expect(next.stderr).toMatch(/^sluice: the environment is not complete:\n {2}- ANTHROPIC_API_KEY or .*$/);
    const forgotten = await serve(at.folder, { PORT: '1' });
    expect([forgotten.exitCode, forgotten.stderr]).toEqual([1, expect.stringContaining(`--settings ${envFile}`)]);
    registrar.close();
  });

  test('without a public address the App is registered with its webhooks off', async () => {
    const running = serve(at.folder, { PORT: String(await freePort()) });
    const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
    const { value: opening } = (await lines.next()) as { value: string };
    const page = await (await fetch(`${/http:\S+\d/.exec(opening)?.[0]}/probot`)).text();
    expect(page).toContain('https://github.com/settings/apps/new');
    expect(page).toContain('"active":false');
    running.kill('SIGTERM');
    expect((await running).stdout).toContain('SLUICE_PUBLIC_URL is not set');
  });

  test('half an App is no reason to set up another: everything that is missing is named', async () => {
    const { exitCode, stderr } = await serve(at.folder, { WEBHOOK_SECRET: 'hush' });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/APP_ID is missing/) });
  });

  test('a file of variables that is not there is one clear message', async () => {
    const { exitCode, stderr } = await serve(at.folder, {}, '--settings', 'nowhere.env');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^sluice: cannot read nowhere/),
    });
  });
});
