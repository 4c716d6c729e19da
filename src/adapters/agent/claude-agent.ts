import { mkdir } from 'node:fs/promises';
import { type AgentOutcome, NO_FIGURES } from '../../domain/agent/outcome.js';
import { reconcileCost } from '../../domain/limits/spend.js';
import type { Agent, AgentJob } from '../../ports/agent.js';
import type { Log } from '../../ports/log.js';
import type { ModelGate } from '../../ports/model-gate.js';
import { AgentRun } from './agent-run.js';
import { temporaryFolder } from './claude-env.js';
import type { StepParts } from './run-step.js';
import { keepTranscripts, type TranscriptPolicy } from './transcripts.js';

export interface ClaudeAgentOptions extends StepParts {
  readonly gate: ModelGate;
  readonly log: Log;
  /** Which transcripts are kept, and where. By default none. */
  readonly transcripts?: TranscriptPolicy;
}

/** The real `claude -p`, in a sandbox, under supervision, without the model's credential. */
export class ClaudeAgent implements Agent {
  readonly #options: ClaudeAgentOptions;

  constructor(options: ClaudeAgentOptions) {
    this.#options = options;
  }

  async run(job: AgentJob): Promise<AgentOutcome> {
    const { clock, log } = this.#options;
    const startedAt = clock.now();
    const ended = await this.#attempt(job).catch(failedStart);
    const { costUsd: countedUsd, reportedUsd } = ended.figures;
    const { usd: costUsd, gapUsd } = reconcileCost(countedUsd, reportedUsd);
    if (gapUsd !== null)
      log.warn({ run: job.phaseRun, countedUsd, reportedUsd }, 'agent cost differs from counted cost');
    const outcome: AgentOutcome = { ...ended, figures: { ...ended.figures, costUsd, ms: clock.now() - startedAt } };
    const fields = { run: job.phaseRun, phase: job.phase, outcome: outcome.kind, ...outcome.figures };
    log.info(fields, 'agent run ended');
    return outcome;
  }

  async #attempt(job: AgentJob): Promise<AgentOutcome> {
    await mkdir(temporaryFolder(job.clone.home), { recursive: true });
    const pass = await this.#options.gate.admit(job.phaseRun, { budgetUsd: job.limits.budgetUsd });
    try {
      const run = new AgentRun(this.#options, job, pass);
      const ended = await run.run();
      await this.#keep(job, run.sessions, ended.kind === 'succeeded');
      return { ...ended, figures: { ...run.figures(), ms: 0 } };
    } finally {
      await pass.close();
    }
  }

  async #keep({ clone, phaseRun }: AgentJob, sessions: readonly string[], hasSucceeded: boolean): Promise<void> {
    const { transcripts, log } = this.#options;
    if (transcripts === undefined) return;
    const kept = { home: clone.home, phaseRun, sessions, hasSucceeded };
    await keepTranscripts(transcripts, kept).catch((error: unknown) => {
      log.warn({ run: phaseRun, error: String(error) }, 'transcripts not saved');
    });
  }
}

/** A start that failed for reasons outside the agent: no socket, disk or program. */
function failedStart(error: unknown): AgentOutcome {
  const why = `The agent could not be started: ${String(error)}`;
  return { kind: 'lost', why, handoff: null, figures: NO_FIGURES };
}
