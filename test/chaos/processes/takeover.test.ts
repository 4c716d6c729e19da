import { existsSync, readdirSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import { ROOT } from '../../support/source-files.js';
import { QUIET } from '../../support/git/git-host.js';
import { ageHeartbeats } from '../../support/queue/age-heartbeats.js';
import { ServiceProcessHarness } from '../support/process/service-process-harness.js';
import { LIMIT_MS } from '../support/crash/describe-crashes.js';
import { PATCH } from '../support/crash/scenarios.js';

/*
 * `sluice serve` as a process, killed with SIGKILL while an agent writes code, and started again at once on the same disk and the
 * same Redis. GitHub's clock is not put forward: nobody waits for the lease to end.
 */

let redis: RedisServer;
beforeAll(async () => {
  redis = await openRedis({ url: undefined, path: process.env['PATH'] ?? '', clock: systemClock, log: QUIET });
});
afterAll(() => redis.close());

const MINUTE_MS = 60_000;
/** In the code phase it commits half of the work, leaves the rest in the checkout, and never ends. */
const HANGS = `
if [ "$skill" = code ]; then
  echo half >half.txt
  git add half.txt
  git commit --quiet --message 'Half of it'
  echo unsaved >unsaved.txt
  exec sleep 3600
fi
`;

/** A sandbox shows one file: the double with a part put in. */
async function hangingClaude(folder: string): Promise<string> {
  const double = await readFile(join(ROOT, 'test/support/agent/claude-double.sh'), 'utf8');
  const path = join(folder, 'claude-hanging.sh');
  await writeFile(path, double.replace('\nnonce=$3\n', `\nnonce=$3\n${HANGS}`));
  await chmod(path, 0o755);
  return path;
}

/** Whether the agent has left something in its checkout. */
function isWrittenIn(clones: string): boolean {
  if (!existsSync(clones)) return false;
  return readdirSync(clones, { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('unsaved.txt'));
}

test(
  'a service killed in the code phase and started again goes on after a minute, with the work saved and nothing left behind',
  async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    const harness = await ServiceProcessHarness.open('S', redis.url);
    try {
      await harness.start(await hangingClaude(harness.folder));
      await harness.say('/auto');
      const clones = join(harness.folder, 'clones');
      await harness.killWhen(() => isWrittenIn(clones));
      await harness.start();
      expect(await harness.refs()).toContainEqual(expect.stringMatching(/^refs\/sluice\/wip\/1\/[\w-]+$/));
      await ageHeartbeats(client, MINUTE_MS);
      await harness.untilRest();
      expect(await harness.end()).toEqual(PATCH.wanted);
      const left = await readdir(clones, { withFileTypes: true });
      const folders = left.filter(({ name }) => !name.endsWith('.cache'));
      expect(await Promise.all(folders.map(({ name }) => readdir(join(clones, name))))).toEqual(folders.map(() => []));
      expect(await readdir(join(harness.folder, 'runs'))).toEqual([]);
    } finally {
      await harness.close();
      client.disconnect();
    }
  },
  LIMIT_MS,
);

test(
  'a service asked to end while an agent works saves the work, gives the lease back and ends well; the next one goes on at once',
  async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    const harness = await ServiceProcessHarness.open('S', redis.url);
    try {
      await harness.start(await hangingClaude(harness.folder));
      await harness.say('/auto');
      const clones = join(harness.folder, 'clones');
      expect(await harness.terminateWhen(() => isWrittenIn(clones))).toBe(0);
      expect(await harness.refs()).toContain('refs/heads/sluice/issue-1');
      expect((await harness.transitions()).at(-1)).toMatchObject({ phase: 'code', kind: 'stopped' });
      // No clock is put forward: a lease that was kept would hold it up for a quarter of an hour.
      await harness.start();
      await harness.untilRest();
      const { issue, labels, starts } = await harness.end();
      expect({ issue, labels, starts }).toMatchObject({ starts: 1, labels: expect.arrayContaining(['phase/done']) });
    } finally {
      await harness.close();
      client.disconnect();
    }
  },
  LIMIT_MS,
);
