import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FaultPlan } from '../../src/faults/fault-plan.js';
import { Journal } from '../../src/journal/journal.js';
import { type Delivery, guidOf } from '../../src/webhooks/delivery.js';
import { addresseesOf } from '../../src/webhooks/addressees.js';
import { Lanes } from '../../src/webhooks/lanes.js';
import { Sender, type SenderParts } from '../../src/webhooks/sender.js';
import { seedApp, seedInstallation } from '../../src/resources/apps/seed-app.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { appKeys } from '../support/app-keys.js';

/** A receiver that takes the request and says nothing until it is let go. */
async function openSilentReceiver() {
  const pending: (() => void)[] = [];
  const arrivals: string[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    arrivals.push(String(request.headers['x-github-event']));
    pending.push(() => response.writeHead(200).end());
    for (const resolve of waiting.splice(0)) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    arrival: () => new Promise<void>((resolve) => waiting.push(resolve)),
    letGo: () => pending.splice(0).forEach((answer) => answer()),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('the sender', () => {
  let p: TestPocket;
  let receiver: Awaited<ReturnType<typeof openSilentReceiver>>;
  beforeEach(async () => {
    p = await openPocket();
    receiver = await openSilentReceiver();
  });
  afterEach(async () => {
    receiver.close();
    await p.close();
  });

  const senderWith = (more: Partial<SenderParts> = {}) =>
    new Sender({ world: p.pocket.world, faults: new FaultPlan(1), journal: new Journal(), ...more });

  function delivery(event: string, url = receiver.url): Delivery {
    const id = p.pocket.world.newId();
    const hook = { url, secret: null };
    const common = { action: null, installationId: null, repositoryId: null, redelivery: false };
    return { id, guid: guidOf(id), app: p.app, hook, event, body: '{}', ...common };
  }

  const kept = () =>
    p.pocket.world.tables.deliveries.all().map(({ event, status, statusCode }) => ({ event, status, statusCode }));

  test('delivers one after the other and writes down the answers', async () => {
    const sender = senderWith();
    const first = receiver.arrival();
    sender.queue(delivery('one'));
    sender.queue(delivery('two'));
    await first;
    const second = receiver.arrival();
    receiver.letGo();
    await second;
    receiver.letGo();
    await sender.idle();
    expect(kept()).toEqual([
      { event: 'one', status: 'OK', statusCode: 200 },
      { event: 'two', status: 'OK', statusCode: 200 },
    ]);
  });

  test('sends several at a time when allowed to', async () => {
    const sender = senderWith({ inFlight: 2 });
    const first = receiver.arrival();
    sender.queue(delivery('one'));
    sender.queue(delivery('two'));
    await first;
    if (receiver.arrivals.length < 2) await receiver.arrival();
    expect(receiver.arrivals.toSorted()).toEqual(['one', 'two']);
    receiver.letGo();
    await sender.idle();
  });

  test('gives up on a receiver that does not answer in time, and does not try again', async () => {
    const journal = new Journal();
    const sender = senderWith({ timeoutMs: 50, journal });
    sender.queue(delivery('issues'));
    await sender.idle();
    expect(kept()).toEqual([{ event: 'issues', status: 'timed out', statusCode: 504 }]);
    expect(journal.deliveries()).toMatchObject([{ event: 'issues', status: 0 }]);
    expect(receiver.arrivals).toEqual(['issues']);
  });

  test('writes down that a receiver cannot be reached', async () => {
    const gone = receiver.url;
    receiver.close();
    const sender = senderWith();
    sender.queue(delivery('issues', gone));
    await sender.idle();
    expect(kept()).toEqual([{ event: 'issues', status: 'failed to connect to host', statusCode: 502 }]);
  });

  test('sends no signature when the hook has no secret', async () => {
    const sender = senderWith();
    const arrived = receiver.arrival();
    sender.queue(delivery('issues'));
    await arrived;
    receiver.letGo();
    await sender.idle();
    const [row] = p.pocket.world.tables.deliveries.all();
    expect(Object.keys(row?.requestHeaders ?? {})).not.toContain('x-hub-signature-256');
  });

  test('counts what a fault holds back as held, not as under way', async () => {
    const faults = new FaultPlan(1);
    faults.arm({ on: 'delivery', match: { event: 'one' }, occurrence: { always: true }, effect: { kind: 'reorder' } });
    faults.arm({
      on: 'delivery',
      match: { event: 'two' },
      occurrence: { always: true },
      effect: { kind: 'delay', ms: 5 },
    });
    const sender = senderWith({ faults });
    sender.queue(delivery('one'));
    sender.queue(delivery('two'));
    await sender.idle();
    expect(
      sender
        .held()
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(['one', 'two']);
    expect(receiver.arrivals).toEqual([]);
  });

  test('breaks off what is under way and forgets the rest when closed', async () => {
    const sender = senderWith();
    const arrived = receiver.arrival();
    sender.queue(delivery('one'));
    sender.queue(delivery('two'));
    await arrived;
    await sender.close();
    expect(sender.isIdle()).toBe(true);
    expect(receiver.arrivals).toEqual(['one']);
    expect(kept()).toEqual([]);
  });
});

describe('lanes', () => {
  /** Work that ends when it is told to. */
  function openLanes(width: number) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const lanes = new Lanes<string>(width, (item) => {
      begun.push(item);
      return new Promise((resolve) => ends.set(item, resolve));
    });
    return { lanes, begun, end: (item: string) => ends.get(item)?.() };
  }

  test('do one piece at a time each, in order, without waiting for one another', async () => {
    const { lanes, begun, end } = openLanes(1);
    lanes.add(1, 'a');
    lanes.add(1, 'b');
    lanes.add(2, 'c');
    expect(begun).toEqual(['a', 'c']);
    const idle = lanes.idle();
    end('a');
    end('c');
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'c', 'b']);
    expect(lanes.isIdle()).toBe(false);
    end('b');
    await idle;
    expect(lanes.isIdle()).toBe(true);
  });

  test('forget what has not begun when cleared', async () => {
    const { lanes, begun, end } = openLanes(1);
    lanes.add(1, 'a');
    lanes.add(1, 'b');
    lanes.clear();
    end('a');
    await lanes.idle();
    expect(begun).toEqual(['a']);
  });
});

describe('a webhook meant for one App', () => {
  let p: TestPocket;
  beforeEach(async () => {
    p = await openPocket();
  });
  afterEach(() => p.close());

  test('reaches no other, and reaches it unsubscribed if it may write checks', () => {
    const { world } = p.pocket;
    const owner = p.users.ada;
    const other = seedApp(world, {
      owner,
      slug: 'other',
      permissions: { checks: 'write' },
      events: [],
      keys: appKeys(),
    });
    const reader = seedApp(world, {
      owner,
      slug: 'reader',
      permissions: { checks: 'read' },
      events: [],
      keys: appKeys(),
    });
    for (const app of [other, reader]) seedInstallation(world, app, owner, 'all');
    const heardBy = (onlyAppId: number) =>
      addresseesOf(world.tables, { event: 'check_suite', payload: {}, onlyAppId }, p.repository.id).map(
        ({ app }) => app.slug,
      );
    expect(heardBy(p.app.id)).toEqual(['sluice-dev']);
    expect(heardBy(other.id)).toEqual(['other']);
    expect(heardBy(reader.id)).toEqual([]);
  });
});
