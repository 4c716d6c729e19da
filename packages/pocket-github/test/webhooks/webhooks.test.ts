import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhooks } from '@octokit/webhooks';
import { seedInstallation } from '../../src/resources/apps/seed-app.js';
import { seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
beforeEach(async () => {
  p = await openPocket();
});
afterEach(() => p.close());

const createLabel = (name: string) => p.rest('wren').rest.issues.createLabel({ ...p.at, name });
const labelNames = async () =>
  (await p.deliveries()).map(({ payload }) => (payload['label'] as { readonly name: string }).name);

describe('a webhook', () => {
  test('arrives signed so that @octokit/webhooks accepts it, and only unchanged', async () => {
    await createLabel('bug');
    const [delivery] = await p.deliveries();
    const webhooks = new Webhooks({ secret: 'a webhook secret' });
    const signature = String(delivery?.headers['x-hub-signature-256']);
    expect(await webhooks.verify(delivery?.body ?? '', signature)).toBe(true);
    expect(await webhooks.verify(`${delivery?.body} `, signature)).toBe(false);
  });

  test("carries GitHub's headers", async () => {
    await createLabel('bug');
    const [delivery] = await p.deliveries();
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/pocket',
      'x-github-delivery': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      'x-github-event': 'label',
      'x-github-hook-installation-target-id': String(p.app.id),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature': expect.stringMatching(/^sha1=[0-9a-f]{40}$/),
    });
  });

  test('says where it happened, by whom, and through which installation', async () => {
    await createLabel('bug');
    const [delivery] = await p.deliveries();
    expect(delivery?.payload).toMatchObject({
      action: 'created',
      repository: { full_name: 'ada/sandbox', owner: { login: 'ada' } },
      sender: { login: 'wren', type: 'User' },
      installation: { id: p.installation.id },
    });
    expect(delivery?.payload).not.toHaveProperty('organization');
  });

  test('names the organisation when one owns the repository', async () => {
    const { world } = p.pocket;
    const guild = seedUser(world, { login: 'guild', type: 'Organization' });
    const repository = await seedRepository(world, { owner: guild, name: 'works', files: { 'a.txt': 'a' } });
    seedInstallation(world, p.app, guild, 'all');
    world.tables.collaborators.insert({
      id: world.newId(),
      repositoryId: repository.id,
      userId: p.users.wren.id,
      role: 'write',
    });
    await p.rest('wren').rest.issues.createLabel({ owner: 'guild', repo: 'works', name: 'bug' });
    const [delivery] = await p.deliveries();
    expect(delivery?.payload).toMatchObject({ organization: { login: 'guild', id: guild.id } });
  });

  test('shows what was true at the moment of the event, however late it is sent', async () => {
    p.pocket.faults.arm({
      on: 'delivery',
      match: { action: 'created' },
      occurrence: { nth: 1 },
      effect: { kind: 'delay', ms: 60_000 },
    });
    await createLabel('first');
    await p.rest('wren').rest.issues.updateLabel({ ...p.at, name: 'first', new_name: 'second' });
    await p.deliveries();
    p.clock.advance(60_000);
    expect(await labelNames()).toEqual(['second', 'first']);
  });

  test('is sent in the order of events', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `label ${index}`);
    for (const name of names) await createLabel(name);
    expect(await labelNames()).toEqual(names);
  });

  test('has every member that GitHub was seen to send and its schema requires', async () => {
    await createLabel('bug');
    await p.rest('wren').rest.issues.updateLabel({ ...p.at, name: 'bug', color: 'ff0000' });
    await p.rest('wren').rest.issues.deleteLabel({ ...p.at, name: 'bug' });
    for (const delivery of await p.deliveries()) {
      const comparison = compareWithExamples(delivery);
      expect({ action: delivery.payload.action, missing: comparison.missing }).toEqual({
        action: delivery.payload.action,
        missing: [],
      });
      expect(comparison.examples).toBeGreaterThan(0);
      const { node_id: _, ...without } = delivery.payload['label'] as Record<string, unknown>;
      const maimed = { event: 'label', payload: { ...delivery.payload, label: without } };
      expect(compareWithExamples(maimed).missing).toEqual(['label.node_id']);
    }
  });

  test('has the same message id in every run of the same story', async () => {
    await createLabel('bug');
    const [first] = await p.deliveries();
    const other = await openPocket();
    await other.rest('wren').rest.issues.createLabel({ ...other.at, name: 'bug' });
    const [second] = await other.deliveries();
    await other.close();
    expect(second?.id).toBe(first?.id);
  });
});

describe('nobody hears', () => {
  test('an event the App has not subscribed to', async () => {
    p.pocket.world.tables.installations.update(p.installation, { events: ['issues'] });
    await createLabel('bug');
    expect(await p.deliveries()).toEqual([]);
  });

  test('an event in a repository the installation does not cover', async () => {
    p.pocket.world.tables.installations.update(p.installation, { repositoryIds: [] });
    await createLabel('bug');
    expect(await p.deliveries()).toEqual([]);
  });

  test('an event while the installation is suspended', async () => {
    p.pocket.world.tables.installations.update(p.installation, { suspendedAt: p.clock.now() });
    await createLabel('bug');
    expect(await p.deliveries()).toEqual([]);
  });

  test('an event of an App without a webhook address, which leaves no delivery behind', async () => {
    p.pocket.world.tables.apps.update(p.app, { hook: null });
    await createLabel('bug');
    expect(await p.deliveries()).toEqual([]);
    expect(p.pocket.journal.deliveries()).toEqual([]);
    expect(p.pocket.world.tables.deliveries.all()).toEqual([]);
  });
});

describe('a delivery fault', () => {
  test('drop: the delivery never arrives and is in no list, only in the journal', async () => {
    p.pocket.faults.arm({
      on: 'delivery',
      match: { event: 'label' },
      occurrence: { nth: 2 },
      effect: { kind: 'drop' },
    });
    for (const name of ['a', 'b', 'c']) await createLabel(name);
    expect(await labelNames()).toEqual(['a', 'c']);
    expect(p.pocket.world.tables.deliveries.all()).toHaveLength(2);
    expect(p.pocket.journal.deliveries().map(({ status, fault }) => ({ status, fault }))).toEqual([
      { status: 202, fault: null },
      { status: 0, fault: 'drop#1' },
      { status: 202, fault: null },
    ]);
  });

  test('duplicate: the same message arrives again with the same id', async () => {
    p.pocket.faults.arm({
      on: 'delivery',
      match: {},
      occurrence: { nth: 1 },
      effect: { kind: 'duplicate', copies: 2 },
    });
    await createLabel('a');
    await createLabel('b');
    expect(await labelNames()).toEqual(['a', 'a', 'a', 'b']);
    const [first, second, third] = p.receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(third?.body).toBe(first?.body);
  });

  test('delay: the delivery arrives when its time has come, not before', async () => {
    p.pocket.faults.arm({ on: 'delivery', match: {}, occurrence: { nth: 1 }, effect: { kind: 'delay', ms: 30_000 } });
    await createLabel('late');
    await createLabel('prompt');
    expect(await labelNames()).toEqual(['prompt']);
    p.clock.advance(29_999);
    expect(await labelNames()).toEqual(['prompt']);
    p.clock.advance(1);
    expect(await labelNames()).toEqual(['prompt', 'late']);
  });

  test('reorder: the delivery arrives after the next one', async () => {
    p.pocket.faults.arm({ on: 'delivery', match: {}, occurrence: { nth: 1 }, effect: { kind: 'reorder' } });
    for (const name of ['a', 'b', 'c']) await createLabel(name);
    expect(await labelNames()).toEqual(['b', 'a', 'c']);
  });

  test('mis-sign: the signature is well formed and wrong', async () => {
    p.pocket.faults.arm({ on: 'delivery', match: {}, occurrence: { nth: 1 }, effect: { kind: 'mis-sign' } });
    await createLabel('a');
    await createLabel('b');
    const webhooks = new Webhooks({ secret: 'a webhook secret' });
    const verdicts = (await p.deliveries()).map(({ body, headers }) =>
      webhooks.verify(body, String(headers['x-hub-signature-256'])),
    );
    expect(await Promise.all(verdicts)).toEqual([false, true]);
  });
});
