import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createNodeMiddleware, Probot } from 'probot';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

/* A tiny Probot app, as anybody would write it, pointed at Pocket by its base URL alone. */

/** Octokit cannot send a body parameter called `url` with App authentication, so the address is set behind the scenes. */
function hearAt(p: TestPocket, url: string): void {
  p.pocket.world.tables.apps.update(p.app, { hook: { url, secret: 'a webhook secret' } });
}

test('a Probot app hears a comment, answers it and labels the issue with its own identity', async () => {
  const p = await openPocket();
  const probot = new Probot({
    appId: p.app.id,
    privateKey: p.app.privateKey,
    secret: 'a webhook secret',
    baseUrl: p.pocket.urls.api,
    logLevel: 'fatal',
  });
  const middleware = await createNodeMiddleware(
    (app) => {
      app.on('issue_comment.created', async (context) => {
        if (context.payload.sender.type === 'Bot') return;
        await context.octokit.rest.issues.createComment(
          context.issue({ body: `You said: ${context.payload.comment.body}` }),
        );
        await context.octokit.rest.issues.addLabels(context.issue({ labels: ['heard'] }));
      });
    },
    { probot, webhooksPath: '/hook' },
  );
  const server = createServer((request, response) => void middleware(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  hearAt(p, `http://127.0.0.1:${port}/hook`);

  await p.rest('wren').rest.issues.create({ ...p.at, title: 'Echo' });
  await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: 'hello' });
  await p.pocket.settle();

  const { data: comments } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: 1 });
  expect(comments.map((comment) => [comment.user?.login, comment.body])).toEqual([
    ['wren', 'hello'],
    ['sluice-dev[bot]', 'You said: hello'],
  ]);
  expect(comments[1]).toMatchObject({ user: { type: 'Bot' }, performed_via_github_app: { slug: 'sluice-dev' } });
  const { data: issue } = await p.rest('ada').rest.issues.get({ ...p.at, issue_number: 1 });
  expect(issue.labels).toMatchObject([{ name: 'heard' }]);
  const { data: deliveries } = await p.rest('app-jwt').rest.apps.listWebhookDeliveries();
  expect(deliveries.every((delivery) => delivery.status_code === 200)).toBe(true);

  server.close();
  server.closeAllConnections();
  await p.close();
});

test('a webhook with a wrong signature is refused by Probot and shown as such', async () => {
  const p = await openPocket();
  const probot = new Probot({
    appId: p.app.id,
    privateKey: p.app.privateKey,
    secret: 'another secret',
    baseUrl: p.pocket.urls.api,
    logLevel: 'fatal',
  });
  const middleware = await createNodeMiddleware(() => undefined, { probot, webhooksPath: '/hook' });
  const server = createServer((request, response) => void middleware(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  hearAt(p, `http://127.0.0.1:${port}/hook`);
  await p.rest('wren').rest.issues.create({ ...p.at, title: 'Forged' });
  await p.pocket.settle();
  const { data: deliveries } = await p.rest('app-jwt').rest.apps.listWebhookDeliveries();
  expect(deliveries[0]).toMatchObject({ event: 'issues', status_code: 400 });
  server.close();
  server.closeAllConnections();
  await p.close();
});
