import { createAppClient } from '../src/adapters/github/auth/app-client.js';
import { createAppTokens } from '../src/adapters/github/auth/app-tokens.js';
import { createRateLimits } from '../src/adapters/github/client/rate-limits.js';
import { createScanner } from '../src/adapters/github/sweep/scanner.js';
import { createMemoryHintStore } from '../src/adapters/redis/memory-hint-store.js';
import { ManualClock, type Pocket, startPocket } from '#pocket-github';
import { type App, seedApp, seedInstallation, seedRepository, seedUser, openIssue } from '#pocket-github/testing';
import { createSweep, type Sweep } from '../src/usecases/sweep/sweep.js';

const REPOSITORIES = 50;
const ISSUES = 1_000;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const PERMISSIONS = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'read',
} as const;

/** Cost of sweeping an idle installation for an hour of simulated time. */
export async function benchSweep(progress: (line: string) => void): Promise<Record<string, number>> {
  const clock = new ManualClock();
  const pocket = await startPocket({ clock });
  try {
    const app = await seedPocket(pocket);
    progress(`${ISSUES} open issues in ${REPOSITORIES} repositories`);
    clock.advance(3 * DAY_MS);
    const sweep = sweepOf(pocket, app, clock);
    // Includes the start, which looks back a day and reads all lists.
    const figures = await hourOf(pocket, sweep, clock);
    await sweep.stop();
    return figures;
  } finally {
    await pocket.close();
  }
}

async function seedPocket({ world }: Pocket): Promise<App> {
  const owner = seedUser(world, { login: 'ada' });
  const app = seedApp(world, { owner, slug: 'sluice-bench', permissions: PERMISSIONS, events: [] });
  seedInstallation(world, app, owner, 'all');
  for (let index = 0; index < REPOSITORIES; index += 1) {
    const repository = await seedRepository(world, { owner, name: `garden-${index}` });
    for (let number = 0; number < ISSUES / REPOSITORIES; number += 1)
      await openIssue(world, { userId: owner.id, viaAppId: null }, repository, { title: `Grow ${number}` });
  }
  return app;
}

function sweepOf({ urls }: Pocket, app: App, clock: ManualClock): Sweep {
  const log = { info: () => {}, warn: complain, error: complain };
  const client = { apiUrl: urls.api, appId: app.id, privateKey: app.privateKey, clock, log };
  const hints = createMemoryHintStore(clock);
  const scanner = createScanner({
    ...client,
    tokens: createAppTokens(client),
    appClient: createAppClient(client),
    limits: createRateLimits({ clock, log, hints }),
  });
  const surprised = async (): Promise<void> => complain({}, 'the sweep found something where nothing happens');
  const random = () => 0.5;
  const findings = {
    wake: surprised,
    handleCommand: surprised,
    giveUp: surprised,
    lastRead: () => null,
    serves: () => true,
    handlesEvent: () => true,
  };
  return createSweep({ scanner, hints, clock, log, instance: 'bench', random, ...findings });
}

/** Sixty passes, one each minute. */
async function hourOf({ journal }: Pocket, sweep: Sweep, clock: ManualClock) {
  const seq = journal.lastSeq();
  for (let minute = 0; minute < 60; minute += 1) {
    await sweep.pass();
    clock.advance(MINUTE_MS);
  }
  const requests = journal.requests(seq);
  const points = requests.filter(({ surface }) => surface === 'graphql').reduce((sum, one) => sum + one.points, 0);
  return { pointsPerHour: points, requestsPerHour: requests.length };
}

function complain(fields: object, message: string): void {
  throw new Error(`${message} ${JSON.stringify(fields)}`);
}
