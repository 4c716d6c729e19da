import { createHmac, generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { systemClock } from '../src/adapters/clock/system-clock.js';
import { openBullmqInbox } from '../src/adapters/queue/bullmq-inbox.js';
import { createReceiver } from '../src/entry/webhooks/receive-webhook.js';
import { startServer } from '../src/entry/service/server.js';
import { createWebhookHandler, WEBHOOKS_PATH } from '../src/entry/webhooks/webhook-handler.js';
import { SECRET, SELF } from './ingest-mix.js';

/* One of the two servers under test, in its own process. Ends with its parent; on request reports what it received. */

const [kind = '', redisUrl = ''] = process.argv.slice(2);
const quiet = (): void => undefined;
const DAYS_MS = 3 * 24 * 60 * 60_000;

async function ours(): Promise<{ readonly url: string; heard(): Promise<number> }> {
  const log = { info: quiet, warn: quiet, error: quiet };
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const count = { heard: 0 };
  const inbox = await openBullmqInbox({ url: redisUrl, clock: systemClock, log });
  await inbox.work(async () => void (count.heard += 1));
  const receive = await createReceiver({
    apiUrl: 'http://127.0.0.1:9',
    app: { id: SELF.appId, privateKey },
    self: SELF,
    inbox,
  });
  const webhooks = createWebhookHandler({
    secrets: [SECRET],
    maxBytes: 26_214_400,
    self: SELF,
    receive,
    clock: systemClock,
    log,
  });
  const server = await startServer({ host: '127.0.0.1', port: 0, handlers: [webhooks], ready: async () => true });
  return {
    url: `${server.url}${WEBHOOKS_PATH}`,
    heard: async () => {
      await inbox.idle();
      return count.heard;
    },
  };
}

/** The minimal server that checks a signature and stores the delivery. */
async function bare(): Promise<{ readonly url: string; heard(): Promise<number> }> {
  const redis = new Redis(redisUrl);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const digest = createHmac('sha256', SECRET).update(Buffer.concat(chunks)).digest();
      const given = Buffer.from(String(request.headers['x-hub-signature-256']).slice('sha256='.length), 'hex');
      if (!timingSafeEqual(digest, given)) return void response.writeHead(401).end();
      redis.set(`bare:${String(request.headers['x-github-delivery'])}`, '1', 'PX', DAYS_MS, 'NX').then(
        () => response.writeHead(202, { 'content-length': 0 }).end(),
        () => response.writeHead(503).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard: async () => 0 };
}

const server = kind === 'ours' ? await ours() : await bare();
process.once('disconnect', () => process.exit());
async function report(): Promise<void> {
  const { user, system } = process.cpuUsage();
  const heard = await server.heard();
  process.send?.({ heard, rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 });
}
process.on('message', () => void report());
process.send?.({ url: server.url });
