import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaudeAgent } from '../../../src/adapters/agent/claude-agent.js';
import type { TranscriptPolicy } from '../../../src/adapters/agent/transcripts.js';
import { KeyProxy, type ListenOn } from '../../../src/adapters/model-gate/key-proxy.js';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';
import type { ModelCredential } from '../../../src/adapters/model-gate/run-token.js';
import { ManualClock } from '#pocket-github/clock';
import {
  bash,
  fail,
  hang,
  rateLimit,
  say,
  type Script,
  type ScriptedModel,
  startScriptedModel,
  structured,
  write,
} from '#scripted-claude';
import type { Agent } from '../../../src/ports/agent.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Sandbox } from '../../../src/ports/sandbox.js';
import type { AgentFixture, Behaviour } from '../../contract/suites/agent-contract.js';
import { RecordingLog } from '../recording-log.js';

/** The credential that must never reach an agent. */
export const REAL_KEY = 'sk-ant-api03-the-real-one';

const SCRIPTS: Readonly<Record<Behaviour, Script['turns']>> = {
  works: ({ prompt, turn }) =>
    turn === 0
      ? write('made.txt', 'made\n')
      : structured({ nonce: /Nonce: (\S+)/.exec(prompt)?.[1] ?? '', summary: 'done' }),
  'gives no result': () => say('All done.'),
  'answers for another run': [structured({ nonce: 'n-0000', summary: 'done' })],
  'never ends': [hang()],
  'uses up its turns': () => bash('true'),
  'is refused by the API': [fail(403)],
  'is told to wait by the API': [rateLimit({ retryAfterSeconds: 3600 })],
};

export const turnsFor = (behaviour: Behaviour): Script['turns'] => SCRIPTS[behaviour];

/** The program itself, as it is installed. */
export const CLAUDE = realpathSync('node_modules/.bin/claude');

export interface ClaudeFixture {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly log: RecordingLog;
  /** The folder of everything except the clone. */
  readonly folder: string;
  /** The folder of the model sockets while runs use them. */
  readonly sockets: string;
  close(): Promise<void>;
}

export interface ClaudeFixtureOptions {
  readonly clock: Clock;
  readonly openSandbox: (limits: ProcessLimits, tools?: readonly string[]) => Sandbox;
  readonly turns: Script['turns'];
  readonly credential?: ModelCredential['kind'];
  readonly graceMs?: number;
  readonly apiRetries?: number;
  /** A shell script that replaces the program and finds it as `$CLAUDE`. */
  readonly wrapper?: string;
  /** The model's API does not answer. */
  readonly isUnreachable?: boolean;
  readonly transcripts?: Pick<TranscriptPolicy, 'keep' | 'redact'>;
}

/** The real CLI in a sandbox, its key proxy, and the scripted model behind it. */
export async function openClaudeFixture(options: ClaudeFixtureOptions): Promise<ClaudeFixture> {
  const { clock, openSandbox, turns, credential: kind = 'api-key', graceMs = 5000, wrapper, transcripts } = options;
  const log = new RecordingLog();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const [plugin, sockets] = [join(folder, 'skills'), join(folder, 's')];
  await mkdir(join(plugin, '.claude-plugin'), { recursive: true });
  await mkdir(sockets);
  await writeFile(join(plugin, '.claude-plugin/plugin.json'), '{ "name": "bench", "version": "1.0.0" }');
  const claude = wrapper === undefined ? CLAUDE : join(folder, 'claude');
  if (wrapper !== undefined) await writeFile(claude, `#!/bin/bash\nCLAUDE=${CLAUDE}\n${wrapper}\n`, { mode: 0o755 });
  const scripts = [{ name: 'bench', when: {}, turns }];
  const model = await startScriptedModel({ clock, scripts, apiKeys: [REAL_KEY] });
  const sandbox = openSandbox({ clock, graceMs }, wrapper === undefined ? [] : [CLAUDE]);
  const listen: ListenOn = sandbox.name === 'none' ? { kind: 'loopback' } : { kind: 'sockets', folder: sockets };
  const credential = { kind, value: REAL_KEY };
  // Nothing listens on this port.
  const upstream = new URL(options.isUnreachable === true ? 'http://127.0.0.1:9' : model.url);
  const agent = new ClaudeAgent({
    sandbox,
    gate: new KeyProxy({ credential, upstream, listen, clock, log }),
    clock,
    log,
    claude,
    plugin,
    path: '/usr/local/bin:/usr/bin:/bin',
    ...(options.apiRetries === undefined ? {} : { apiRetries: options.apiRetries }),
    ...(transcripts === undefined ? {} : { transcripts: { ...transcripts, folder: join(folder, 'transcripts') } }),
  });
  return {
    agent,
    model,
    log,
    folder,
    sockets,
    close: async () => {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface ClaudeAgentFixture extends AgentFixture {
  readonly model: ScriptedModel;
  readonly log: RecordingLog;
}

/** A fixture whose clock the test controls. */
export async function openClaudeAgentFixture(
  openSandbox: ClaudeFixtureOptions['openSandbox'],
  turns: Script['turns'],
): Promise<ClaudeAgentFixture> {
  const clock = new ManualClock();
  const fixture = await openClaudeFixture({ clock, openSandbox, turns });
  return { ...fixture, clock, busy: () => fixture.model.requests.waitFor({}) };
}
