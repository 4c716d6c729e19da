import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaudeAgent } from '../../src/adapters/agent/claude-agent.js';
import { KeyProxy, type ListenOn } from '../../src/adapters/sandbox/key-proxy.js';
import type { Limits } from '../../src/adapters/sandbox/leash.js';
import { ManualClock } from '../../src/pocket/manual-clock.js';
import { hang } from '../../src/pocket/model/script/break.js';
import { fail, rateLimit } from '../../src/pocket/model/script/fail.js';
import { bash, say, structured, write } from '../../src/pocket/model/script/say.js';
import type { Script } from '../../src/pocket/model/script/script.js';
import { type ScriptedModel, startScriptedModel } from '../../src/pocket/model/scripted-model.js';
import type { Sandbox } from '../../src/ports/sandbox.js';
import type { AgentBench, Behaviour } from '../contract/agent.js';
import { RecordingLog } from './recording-log.js';

/** The credential that must never reach an agent. */
export const REAL_KEY = 'sk-ant-api03-the-real-one';

const SCRIPTS: Readonly<Record<Behaviour, Script['turns']>> = {
  works: [
    write('made.txt', 'made\n'),
    ({ prompt }) => structured({ nonce: /Nonce: (\S+)/.exec(prompt)?.[1] ?? '', summary: 'done' }),
  ],
  'gives no result': () => say('All done.'),
  'answers for another run': [structured({ nonce: 'n-0000', summary: 'done' })],
  'never ends': [hang()],
  'uses up its turns': () => bash('true'),
  'is refused by the API': [fail(403)],
  'is told to wait by the API': [rateLimit({ retryAfterSeconds: 3600 })],
};

export const turnsFor = (behaviour: Behaviour): Script['turns'] => SCRIPTS[behaviour];

export interface ClaudeBench extends AgentBench {
  readonly model: ScriptedModel;
  readonly log: RecordingLog;
}

/** The real CLI in a sandbox, its key proxy, and the scripted model behind it. */
export async function openClaudeBench(
  openSandbox: (limits: Limits) => Sandbox,
  turns: Script['turns'],
): Promise<ClaudeBench> {
  const clock = new ManualClock();
  const log = new RecordingLog();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const plugin = join(folder, 'skills');
  await mkdir(join(plugin, '.claude-plugin'), { recursive: true });
  await writeFile(join(plugin, '.claude-plugin/plugin.json'), '{ "name": "bench", "version": "1.0.0" }');
  const scripts = [{ name: 'bench', when: {}, turns }];
  const model = await startScriptedModel({ clock, scripts, apiKeys: [REAL_KEY] });
  const sandbox = openSandbox({ clock, graceMs: 5000 });
  const listen: ListenOn = sandbox.name === 'none' ? { kind: 'loopback' } : { kind: 'sockets', folder };
  const credential = { kind: 'api-key', value: REAL_KEY } as const;
  const agent = new ClaudeAgent({
    sandbox,
    gate: new KeyProxy({ credential, upstream: new URL(model.url), listen, clock, log }),
    clock,
    log,
    claude: realpathSync('node_modules/.bin/claude'),
    plugin,
    path: '/usr/local/bin:/usr/bin:/bin',
  });
  return {
    agent,
    clock,
    log,
    model,
    busy: () => model.requests.waitFor({}),
    close: async () => {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
