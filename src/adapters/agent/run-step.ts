import type { Watch } from '../../domain/agent/supervision.js';
import type { AgentJob } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { ModelPass } from '../../ports/model-gate.js';
import type { ProcessSample, Sandbox, SandboxResult } from '../../ports/sandbox.js';
import { claudeArgv, type Session, type SettingSources } from './claude-argv.js';
import { claudeEnv } from './claude-env.js';
import type { StreamState } from './stream-state.js';
import type { StreamEvent } from './stream-event.js';
import { StepWatch } from './step-watch.js';

/** What every step of every run has in common. */
export interface StepParts {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** The `claude` program itself, not a link to it. */
  readonly claude: string;
  /** The folder of the plugin with the phases' skills. */
  readonly plugin: string;
  /** The value of PATH for the agent. */
  readonly path: string;
  /** `none` unless a trusted person wrote the checkout's settings. */
  readonly settingSources?: SettingSources;
  /** How often the CLI retries an API request by itself. */
  readonly apiRetries?: number;
}

/** The task of one process. */
export interface StepOrder {
  readonly session: Session;
  readonly prompt: string;
  readonly schema: object;
  readonly maxTurns: number;
  readonly budgetUsd: number | null;
  readonly capMs: number;
}

export interface StepReport extends Pick<SandboxResult, 'end' | 'stderr'> {
  readonly stream: StreamState;
  readonly watch: Watch;
  readonly peak: Omit<ProcessSample, 'cpuMs'>;
}

/** The stream is read by line; only the end of the raw output is kept, for reports. */
const KEPT_OUTPUT_BYTES = 64 * 1024;

/** Supervision ends a step long before this. It covers a supervision that has stopped working. */
const SAFETY_MS = 15 * 60_000;

/** Runs one CLI process under supervision, until all its processes have ended. */
export async function runStep(
  parts: StepParts,
  job: AgentJob,
  pass: ModelPass,
  order: StepOrder,
  onEvent: (event: StreamEvent) => void,
): Promise<StepReport> {
  const { sandbox, clock, claude, plugin, path, settingSources = 'none', apiRetries } = parts;
  const { clone, model } = job;
  const watch = new StepWatch({ clock, job, capMs: order.capMs, onEvent });
  const shown = [claude, plugin].map((file) => ({ path: file, access: 'read' as const }));
  try {
    const { end, stderr } = await sandbox.run({
      argv: claudeArgv({ claude, plugin, settingSources, model, ...order }),
      cwd: clone.path,
      env: claudeEnv({ home: clone.home, path, apiRetries }, pass.env),
      mounts: [...clone.mounts, ...pass.mounts, ...shown],
      input: order.prompt,
      timeoutMs: order.capMs + SAFETY_MS,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      signal: watch.signal,
      onStart: (look) => watch.onStart(look),
      onLine: (line) => watch.line(line),
    });
    return { end, stderr, stream: watch.stream, watch: watch.watch, peak: watch.peak };
  } finally {
    watch.close();
  }
}
