import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { commentMarker } from '../../../src/domain/issue/comment-marker.js';
import { type RunningService, startService } from '../../../src/entry/service/start-service.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import type { IssueState } from '../../../src/domain/state/state.js';
import { ROOT } from '../source-files.js';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { RecordingLog } from '../recording-log.js';

const TOKEN = 'a-token-for-the-api-of-the-house';

/** The whole service with a real Redis and real git but no model: every agent ends at once without a result. */
export interface ServiceHarness {
  readonly p: TestPocket;
  readonly service: RunningService;
  readonly log: RecordingLog;
  readonly redisUrl: string;
  open(body?: string): Promise<number>;
  state(number: number): Promise<IssueState>;
  /** Our status comments there. */
  statuses(number: number): Promise<readonly string[]>;
  /** Asks the API. */
  api(method: string, path: string, body?: object): Promise<Response>;
  close(): Promise<void>;
}

export async function openServiceHarness(): Promise<ServiceHarness> {
  const p = await openPocket({ clock: systemClock });
  const folder = await mkdtemp(join(tmpdir(), 'sluice-service-'));
  const log = new RecordingLog();
  const path = process.env['PATH'] ?? '';
  const redis = await openRedis({ path, clock: systemClock, log });
  const service = await startService(
    {
      apiUrl: p.pocket.urls.api,
      gitUrl: p.pocket.urls.html,
      app: { id: p.app.id, privateKey: p.app.privateKey },
      signingKeys: { current: { id: 'k1', secret: 'a signing secret' } },
      model: { url: new URL('http://127.0.0.1:9'), credential: { kind: 'api-key', value: 'sk-ant-api03-not-a-key' } },
      redisUrl: redis.url,
      folder,
      claude: '/bin/false',
      product: ROOT,
      path,
      requestQuota: { startsPerHour: 100, commandsPerHour: 100 },
      host: '127.0.0.1',
      port: 0,
      webhookSecrets: ['a webhook secret'],
      sweeps: false,
      api: { token: TOKEN, isLocal: true },
    },
    { clock: systemClock, log },
  );
  const marker = commentMarker('status');
  return {
    p,
    service,
    log,
    redisUrl: redis.url,
    open: async (body = 'Write it down.') => {
      const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'Do the work', body });
      return data.number;
    },
    state: async (number) => {
      const snapshot = await observe(service.engine, { ...p.at, number });
      if (snapshot?.reading.kind !== 'valid') throw new Error(`there is no state: ${snapshot?.reading.kind}`);
      return snapshot.reading.state;
    },
    statuses: async (number) => {
      const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: number });
      return data.map(({ body }) => body ?? '').filter((body) => body.startsWith(marker));
    },
    api: (method, path, body) =>
      fetch(new URL(path, service.url), {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    close: async () => {
      await service.close();
      await redis.close();
      await p.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
