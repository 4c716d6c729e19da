import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { startServer } from '../../../src/entry/service/server.js';
import { createWebhookHandler, WEBHOOKS_PATH } from '../../../src/entry/webhooks/webhook-handler.js';

/* A webhook server in its own process, so that its memory can be measured. Prints its address, and its memory on request. */

const quiet = (): void => undefined;
const handler = createWebhookHandler({
  secrets: ['a webhook secret'],
  maxBytes: 25 * 1024 * 1024,
  self: { accountId: 900, appId: 7 },
  receive: async () => 'queued',
  clock: systemClock,
  log: { info: quiet, warn: quiet, error: quiet },
});
const server = await startServer({ host: '127.0.0.1', port: 0, handlers: [handler], ready: async () => true });
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }));
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `${server.url}${WEBHOOKS_PATH}` });
