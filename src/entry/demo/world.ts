import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { parseSeed, plantSeed, type Pocket, startPocket } from '#pocket-github';
import { startScriptedModel } from '#scripted-claude';
import { createBrain } from './brain/brain.js';
import { DEMO_SEED } from './brain/demo-world.js';
import type { Policy } from '../../domain/limits/policy.js';
import type { Log } from '../../ports/log.js';
import type { Swap } from '../../ports/state-store.js';
import { type RunningService, startService } from '../service/start-service.js';

/** Everything the demo runs on, on free loopback ports. */
export interface DemoWorld {
  readonly pocket: Pocket;
  readonly service: RunningService;
  /** `owner/name` of the sample repository. */
  readonly repository: string;
  /** A token of somebody who may give commands. */
  readonly token: string;
  /** What the API of the service asks for. */
  readonly apiToken: string;
  /** Defects of Pocket GitHub, and requests it does not support. */
  defects(): readonly string[];
  close(): Promise<void>;
}

export interface DemoParts {
  readonly claude: string;
  readonly product: string;
  readonly path: string;
  readonly log: Log;
  readonly onSwap: (swap: Swap) => void;
  readonly limits?: Partial<Omit<Policy, 'identity' | 'holds'>>;
}

const PERSON = 'wren';

/** Starts a GitHub, a model, and the service between them. */
export async function openDemoWorld(parts: DemoParts): Promise<DemoWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) {
      await closer().catch((error: unknown) => parts.log.error({ error }, 'demo shutdown failed'));
    }
  };
  try {
    return { ...(await open(parts, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `closers` undo what has been started, newest last, should the rest fail. */
async function open(parts: DemoParts, closers: (() => Promise<unknown>)[]): Promise<Omit<DemoWorld, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-demo-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const defects: string[] = [];
  const pocket = await startPocket({ clock: systemClock, onDefect: (error) => defects.push(String(error)) });
  closers.push(() => pocket.close());
  const { apps, tokens, repositories } = await plantSeed(pocket.world, parseSeed(DEMO_SEED, 'the demo'), null);
  const [app] = apps;
  const [repository] = repositories;
  const token = tokens[PERSON];
  if (app === undefined || repository === undefined || token === undefined) throw new Error('the seed lacks something');
  const credential = { kind: 'api-key', value: `sk-ant-api03-${randomBytes(24).toString('base64url')}` } as const;
  const model = await startScriptedModel({ clock: systemClock, scripts: createBrain(), apiKeys: [credential.value] });
  closers.push(() => model.close());
  const webhookSecret = randomBytes(24).toString('base64url');
  const apiToken = randomBytes(24).toString('hex');
  const service = await startService(
    {
      ...parts,
      apiUrl: pocket.urls.api,
      gitUrl: pocket.urls.html,
      app: { id: app.id, privateKey: app.privateKey },
      signingKeys: { current: { id: 'demo', secret: randomBytes(32).toString('hex') } },
      model: { url: new URL(model.url), credential },
      redisUrl: undefined,
      // No queue in a demo.
      requestQuota: { startsPerHour: 1_000, commandsPerHour: 1_000 },
      folder,
      host: '127.0.0.1',
      port: 0,
      webhookSecrets: [webhookSecret],
      api: { token: apiToken, isLocal: true },
    },
    { clock: systemClock, log: parts.log, onSwap: parts.onSwap },
  );
  closers.push(() => service.close());
  // The first sweep is part of the start.
  await service.sweep.settled();
  // The App existed before the service had an address; now its webhook URL is known.
  pocket.world.tables.apps.update(app, { hook: { url: service.webhookUrl, secret: webhookSecret } });
  return {
    pocket,
    service,
    repository,
    token,
    apiToken,
    defects: () => [...defects, ...pocket.journal.unmodelled()],
  };
}
