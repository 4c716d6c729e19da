import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { openPocket } from '#pocket-github/test/test-pocket';
import { ROOT } from '../../support/source-files.js';

/* The app without our own server: Probot checks the signature, and the rest is as ever. */

const PROBOT = join(ROOT, 'node_modules/probot/bin/probot.js');
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Probot takes 0 for its default port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('`probot run` takes a command in, and ends in order when told to', async () => {
  const p = await openPocket();
  closers.push(() => p.close());
  const folder = await mkdtemp(join(tmpdir(), 'probot-run-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'] ?? '',
    APP_ID: String(p.app.id),
    PRIVATE_KEY: p.app.privateKey,
    GITHUB_API_URL: p.pocket.urls.api,
    WEBHOOK_SECRET: 'a webhook secret',
    ANTHROPIC_API_KEY: 'sk-ant-none',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    SLUICE_FOLDER: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_ENV: 'production',
  };
  const args = [PROBOT, 'run', './build/src/entry/webhooks/app.js'];
  const running = execa(process.execPath, args, { cwd: ROOT, reject: false, env, extendEnv: false, all: true });
  closers.push(() => running.kill('SIGKILL'));
  const lines = createInterface(running.all)[Symbol.asyncIterator]();
  const until = async (text: string): Promise<void> => {
    const said: string[] = [];
    for (let { value, done } = await lines.next(); done !== true; { value, done } = await lines.next()) {
      said.push(String(value));
      if (String(value).includes(text)) return;
    }
    throw new Error(`it never said ${text}, but:\n${said.join('\n')}`);
  };
  await until('Listening on');
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  p.pocket.world.tables.apps.update(p.app, { hook: { url, secret: 'a webhook secret' } });
  await p.rest('wren').rest.issues.create({ ...p.at, title: 'Say hello' });
  await p.rest('mallory').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
  await until('command refused');
  running.kill('SIGTERM');
  expect((await running).exitCode).toBe(0);
});
