import { openWebhookHarness } from './webhook-harness.js';

// A process with a front door whose handling never ends. Says where its door is, and when it has begun to deal with an event.
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
