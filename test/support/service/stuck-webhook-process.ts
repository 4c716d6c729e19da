import { openWebhookHarness } from './webhook-harness.js';

// A webhook server whose handler never ends. Prints its address, and when an event is being handled.
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const harness = await openWebhookHarness({
  redisUrl: process.argv[2] ?? '',
  lockMs: 500,
  handle: () => {
    say('handling');
    return new Promise(() => undefined);
  },
});
say(harness.url);
