import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhooks } from '@octokit/webhooks';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { openWebhookReceiver } from '../support/webhook-receiver.js';

let p: TestPocket;
beforeEach(async () => {
  p = await openPocket();
});
afterEach(() => p.close());

const createLabel = (name: string) => p.rest('wren').rest.issues.createLabel({ ...p.at, name });
const apps = () => p.rest('app-jwt').rest.apps;
const list = async (query: { per_page?: number; cursor?: string; status?: 'success' | 'failure' } = {}) =>
  (await apps().listWebhookDeliveries(query)).data;

describe('the list of deliveries', () => {
  test('shows the newest first, with how each was answered', async () => {
    await createLabel('a');
    await p.deliveries();
    p.receiver.answer(500);
    await createLabel('b');
    await p.deliveries();
    expect(await list()).toMatchObject([
      { event: 'label', action: 'created', status: 'Invalid HTTP Response: 500', status_code: 500, redelivery: false },
      { status: 'OK', status_code: 202, installation_id: p.installation.id, repository_id: p.repository.id },
    ]);
    expect(p.receiver.received).toHaveLength(2);
  });

  test('is filtered by outcome', async () => {
    await createLabel('a');
    await p.deliveries();
    p.receiver.answer(503);
    await createLabel('b');
    await p.deliveries();
    expect((await list({ status: 'failure' })).map(({ status_code }) => status_code)).toEqual([503]);
    expect((await list({ status: 'success' })).map(({ status_code }) => status_code)).toEqual([202]);
  });

  test('is read page by page along its cursor by octokit.paginate', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createLabel(name);
    await p.deliveries();
    const octokit = p.rest('app-jwt');
    const first = await octokit.rest.apps.listWebhookDeliveries({ per_page: 2 });
    expect(first.headers.link).toMatch(/cursor=v1_\d+>; rel="next"/);
    const all = await octokit.paginate(octokit.rest.apps.listWebhookDeliveries, { per_page: 2 });
    expect(all.map(({ id }) => id)).toEqual((await list()).map(({ id }) => id));
    expect(all).toHaveLength(5);
    await expect(list({ cursor: 'v1_0' })).rejects.toMatchObject({ status: 422 });
  });

  test('shows what was sent and what came back', async () => {
    await createLabel('a');
    const [received] = await p.deliveries();
    const [item] = await list();
    const { data } = await apps().getWebhookDelivery({ delivery_id: Number(item?.id) });
    expect(data).toMatchObject({
      guid: received?.id,
      url: p.receiver.url,
      request: { headers: { 'x-github-event': 'label' }, payload: received?.payload },
      response: { payload: '' },
    });
    await expect(apps().getWebhookDelivery({ delivery_id: 1 })).rejects.toMatchObject({ status: 404 });
  });
});

describe('a redelivery', () => {
  test('sends the same message again under the same id', async () => {
    p.receiver.answer(500);
    await createLabel('a');
    await p.deliveries();
    p.receiver.answer(200);
    const [failed] = await list();
    const { status } = await apps().redeliverWebhookDelivery({ delivery_id: Number(failed?.id) });
    expect(status).toBe(202);
    const [first, second] = await p.deliveries();
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    expect(await list()).toMatchObject([
      { redelivery: true, status_code: 200, guid: failed?.guid },
      { redelivery: false, status_code: 500 },
    ]);
    expect(p.pocket.journal.deliveries().map(({ redelivery }) => redelivery)).toEqual([false, true]);
  });
});

describe('the configuration of the hook', () => {
  test('never shows the secret', async () => {
    const { data } = await apps().getWebhookConfigForApp();
    expect(data).toEqual({ url: p.receiver.url, content_type: 'json', insecure_ssl: '0', secret: '********' });
  });

  test('takes no address on another machine', async () => {
    const other = await openPocket();
    const elsewhere = { data: { url: 'http://hooks.example/' } };
    const change = other.rest('app-jwt').request('PATCH /app/hook/config', elsewhere);
    await expect(change).rejects.toMatchObject({ status: 501 });
    await other.close({ unmodelledIsFine: true });
  });

  test('changes where webhooks go and what signs them, and greets the new address', async () => {
    const other = await openWebhookReceiver();
    // As `data`: Octokit would take a parameter called `url` for the address of the request.
    await p.rest('app-jwt').request('PATCH /app/hook/config', { data: { url: other.url, secret: 'another secret' } });
    await createLabel('a');
    expect(await p.deliveries()).toEqual([]);
    const [ping, label] = other.received;
    expect(ping).toMatchObject({
      event: 'ping',
      payload: { hook: { type: 'App', app_id: p.app.id, config: { url: other.url } } },
    });
    expect(
      await new Webhooks({ secret: 'another secret' }).verify(
        label?.body ?? '',
        String(label?.headers['x-hub-signature-256']),
      ),
    ).toBe(true);
    await other.close();
  });
});
