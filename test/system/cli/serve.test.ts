import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { openPocket } from '#pocket-github/test/test-pocket';
import { ROOT } from '../../support/source-files.js';

const CLI = join(ROOT, 'build/src/entry/cli/cli.js');

function serve(env: Record<string, string>, ...flags: readonly string[]) {
  return execa(process.execPath, [CLI, 'serve', ...flags], { reject: false, env, extendEnv: false });
}

const children = new Set<ReturnType<typeof serve>>();

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

interface LogLine {
  readonly msg: string;
  readonly url?: string;
  readonly webhookUrl?: string;
}

describe('sluice serve', () => {
  test('is alive and ready, takes signed webhooks only, ignores who may not ask, and ends in order when told to', async () => {
    const p = await openPocket();
    const folder = await mkdtemp(join(tmpdir(), 'serve-'));
    const running = serve({
      PATH: process.env['PATH'] ?? '',
      APP_ID: String(p.app.id),
      PRIVATE_KEY: p.app.privateKey,
      GITHUB_API_URL: p.pocket.urls.api,
      WEBHOOK_SECRET: 'a webhook secret',
      ANTHROPIC_API_KEY: 'sk-ant-none',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      SLUICE_FOLDER: folder,
      PORT: '0',
    });
    children.add(running);
    const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
    const until = async (msg: string): Promise<LogLine> => {
      for (let { value, done } = await lines.next(); done !== true; { value, done } = await lines.next()) {
        const line = JSON.parse(value as string) as LogLine;
        if (line.msg === msg) return line;
      }
      throw new Error(`it never said: ${msg}`);
    };
    const { url = '', webhookUrl = '' } = await until('service started');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
    const forged = await fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': '1',
        'x-hub-signature-256': 'sha256=00',
      },
      body: '{}',
    });
    expect(forged.status).toBe(401);

    p.pocket.world.tables.apps.update(p.app, { hook: { url: webhookUrl, secret: 'a webhook secret' } });
    await p.rest('wren').rest.issues.create({ ...p.at, title: 'Say hello' });
    await p.rest('mallory').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
    await until('command refused');
    await p.pocket.settle();
    // The two that people caused, newest first; whatever the service itself does afterwards causes more.
    const { data: deliveries } = await p.rest('app-jwt').rest.apps.listWebhookDeliveries();
    expect(deliveries.slice(-2).map(({ event, action, status_code }) => [event, action, status_code])).toEqual([
      ['issue_comment', 'created', 202],
      ['issues', 'opened', 202],
    ]);

    running.kill('SIGTERM');
    expect((await running).exitCode).toBe(0);
    await rm(folder, { recursive: true, force: true });
    await p.close();
  });

  test('names everything that is missing at once', async () => {
    const { exitCode, stderr } = await serve({ HOME: '/nowhere', PRIVATE_KEY: 'not a key' });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^sluice: the environment is not complete:\n {2}- APP_ID is missing.*\n {2}- PRIVATE_KEY is not usable.*\n {2}- WEBHOOK_SECRET/,
    );
  });

  test('a GitHub that does not answer is one clear message', async () => {
    const p = await openPocket();
    const { exitCode, stderr } = await serve({
      PATH: '/nowhere',
      HOME: '/nowhere',
      APP_ID: '1',
      PRIVATE_KEY: p.app.privateKey,
      GITHUB_API_URL: 'http://127.0.0.1:9/api/v3',
      WEBHOOK_SECRET: 'a webhook secret',
      ANTHROPIC_API_KEY: 'sk-ant-none',
    });
    await p.close();
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/^sluice: cannot start: .*$/) });
  });

  test('refuses a GitHub that strangers can reach when it has no sandbox', async () => {
    const p = await openPocket();
    const { exitCode, stderr } = await serve({
      PATH: '/nowhere',
      HOME: '/nowhere',
      APP_ID: '1',
      PRIVATE_KEY: p.app.privateKey,
      GITHUB_API_URL: 'https://github.example/api/v3',
      WEBHOOK_SECRET: 'a webhook secret',
      ANTHROPIC_API_KEY: 'sk-ant-none',
    });
    await p.close();
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('--unsafe-no-sandbox') });
  });
});
