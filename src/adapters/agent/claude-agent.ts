import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { type AgentOutcome, NO_FIGURES, type RunFigures, type Verdict } from '../../domain/outcome.js';
import type { Agent, AgentJob } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { ModelGate, ModelPass } from '../../ports/model-gate.js';
import type { Sandbox, SandboxResult } from '../../ports/sandbox.js';
import { claudeArgv, type SettingSources } from './argv.js';
import { claudeEnv, temporaryFolder } from './env.js';
import { judge } from './judge.js';
import { readStreamLine, STREAM_START, type StreamState } from './stream.js';

export interface ClaudeAgentOptions {
  readonly sandbox: Sandbox;
  readonly gate: ModelGate;
  readonly clock: Clock;
  readonly log: Log;
  /** The `claude` program itself, not a link to it. */
  readonly claude: string;
  /** The folder of the plugin with the phases' skills. */
  readonly plugin: string;
  /** The value of PATH for the agent. */
  readonly path: string;
  /** `none` unless the checkout's settings have been put there by somebody trusted. */
  readonly settingSources?: SettingSources;
}

/** The stream passes by line; of the raw output only the end is of use, in reports. */
const KEPT_OUTPUT_BYTES = 64 * 1024;

/** How long the process may go on after its result before it is ended. */
const LINGER_MS = 10_000;

interface Attempt {
  readonly verdict: Verdict;
  readonly figures: Omit<RunFigures, 'ms'>;
}

/** The real `claude -p`, in a sandbox, without the model's credential. */
export class ClaudeAgent implements Agent {
  readonly #options: ClaudeAgentOptions;

  constructor(options: ClaudeAgentOptions) {
    this.#options = options;
  }

  async run(job: AgentJob): Promise<AgentOutcome> {
    const { clock, log } = this.#options;
    const startedAt = clock.now();
    const { verdict, figures } = await this.#attempt(job).catch(neverStarted);
    const outcome: AgentOutcome = { ...verdict, handoff: null, figures: { ...figures, ms: clock.now() - startedAt } };
    const fields = { run: job.phaseRun, phase: job.phase, outcome: outcome.kind, ...outcome.figures };
    log.info(fields, 'agent run ended');
    return outcome;
  }

  async #attempt(job: AgentJob): Promise<Attempt> {
    const pass = await this.#options.gate.admit(job.phaseRun);
    try {
      const { stream, end, stderr } = await this.#converse(job, pass);
      const { costUsd, models, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = pass.usage();
      const turns = stream.result?.turns ?? stream.messages;
      const tokens = {
        input: inputTokens,
        output: outputTokens,
        cacheRead: cacheReadTokens,
        cacheWrite: cacheWriteTokens,
      };
      const model = models.at(-1) ?? stream.model;
      const figures = { ...NO_FIGURES, turns, costUsd, model, models, tokens, sessionId: stream.sessionId, steps: 1 };
      return { verdict: judge({ stream, end, stderr, nonce: job.nonce }), figures };
    } finally {
      await pass.close();
    }
  }

  async #converse(job: AgentJob, pass: ModelPass): Promise<SandboxResult & { readonly stream: StreamState }> {
    const { clock } = this.#options;
    const state = { stream: STREAM_START };
    const lingering = new AbortController();
    const timers: (() => void)[] = [];
    const onLine = (line: string): void => {
      state.stream = readStreamLine(state.stream, line);
      if (state.stream.result === null || timers.length > 0) return;
      timers.push(clock.at(clock.now() + LINGER_MS, () => lingering.abort()));
    };
    const signal = AbortSignal.any([job.signal, lingering.signal]);
    const result = await this.#execute(job, pass, { signal, onLine });
    for (const cancel of timers) cancel();
    return { ...result, stream: state.stream };
  }

  async #execute(
    job: AgentJob,
    pass: ModelPass,
    watched: { readonly signal: AbortSignal; readonly onLine: (line: string) => void },
  ): Promise<SandboxResult> {
    const { sandbox, claude, plugin, path, settingSources = 'none' } = this.#options;
    const { clone } = job;
    await mkdir(temporaryFolder(clone.home), { recursive: true });
    const shown = [claude, plugin].map((file) => ({ path: file, access: 'read' as const }));
    return sandbox.run({
      argv: claudeArgv({
        claude,
        plugin,
        session: { id: randomUUID(), isResumed: false },
        settingSources,
        schema: job.schema,
        model: job.model,
        maxTurns: job.limits.maxTurns,
        budgetUsd: job.limits.budgetUsd,
      }),
      cwd: clone.path,
      env: claudeEnv({ home: clone.home, path }, pass.env),
      mounts: [...clone.mounts, ...pass.mounts, ...shown],
      input: job.prompt,
      timeoutMs: job.limits.capMs,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      ...watched,
    });
  }
}

/** No socket, no disk, no program: nothing the agent could have done about it. */
function neverStarted(error: unknown): Attempt {
  const why = `The agent could not be started: ${String(error)}`;
  return {
    verdict: { kind: 'lost', why },
    figures: NO_FIGURES,
  };
}
