import { connect, type Socket } from 'node:net';
import { KeyProxy, type KeyProxyOptions } from '../../../src/adapters/model-gate/key-proxy.js';
import { ManualClock } from '#pocket-github/clock';
import type { ModelPass } from '../../../src/ports/model-gate.js';
import { afterThisTest } from '../clean-up.js';
import { RecordingLog } from '../recording-log.js';

export interface KeyProxyFixture {
  readonly proxy: KeyProxy;
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  /** Access for a run, closed after the test. */
  readonly admit: (run?: string, budgetUsd?: number | null) => Promise<ModelPass>;
}

/** A key proxy in front of an API under the test's control. */
export function openKeyProxy(upstream: string, options: Partial<KeyProxyOptions> = {}): KeyProxyFixture {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  const proxy = new KeyProxy({
    credential: { kind: 'api-key', value: 'sk-ant-api03-the-real-one' },
    upstream: new URL(upstream),
    listen: { kind: 'loopback' },
    clock,
    log,
    ...options,
  });
  const admit = async (run = 'run-1', budgetUsd: number | null = null): Promise<ModelPass> => {
    const pass = await proxy.admit(run, { budgetUsd });
    afterThisTest(() => pass.close());
    return pass;
  };
  return { proxy, clock, log, admit };
}

/** A raw connection to a run's proxy, for requests that no HTTP library would send. */
export async function connectTo(pass: ModelPass): Promise<Socket> {
  const { hostname, port } = new URL(pass.env['ANTHROPIC_BASE_URL'] ?? '');
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  afterThisTest(async () => socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

/** The head of a request for a message. */
export function headOf(pass: ModelPass, headers: Readonly<Record<string, string | number>>): string {
  const token = pass.env['ANTHROPIC_API_KEY'] ?? '';
  const lines = Object.entries({ host: 'localhost', 'x-api-key': token, ...headers });
  return `POST /v1/messages HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
