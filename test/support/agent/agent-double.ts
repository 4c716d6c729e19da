import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { judgeOutput } from '../../../src/adapters/agent/judge-step.js';
import { type AgentOutcome, NO_FIGURES, type OutcomeVerdict } from '../../../src/domain/agent/outcome.js';
import type { Agent, AgentJob } from '../../../src/ports/agent.js';
import type { Clock } from '../../../src/ports/clock.js';

export type DoubleAnswer =
  /** Leaves these files in the checkout (path → content) and gives a result, which is judged as usual. */
  | {
      readonly kind: 'works';
      readonly files?: Readonly<Record<string, string>>;
      readonly result: Readonly<Record<string, unknown>>;
    }
  /** Runs until it is stopped or its time is up. */
  | { readonly kind: 'never-ends' }
  /** Ends without a result, or in trouble. */
  | Exclude<OutcomeVerdict, { kind: 'succeeded' | 'stopped' | 'timed-out' }>;

export interface AgentDoubleOptions {
  readonly clock: Clock;
  readonly answer: (job: AgentJob) => DoubleAnswer | Promise<DoubleAnswer>;
  /** What each run costs. */
  readonly costUsd?: number;
}

/** An agent without a process: follows its script in the checkout, and keeps the contract of the real one. */
export function agentDouble({ clock, answer, costUsd = 0.01 }: AgentDoubleOptions): Agent {
  return {
    run: async (job): Promise<AgentOutcome> => {
      const startedAt = clock.now();
      const verdict = job.signal.aborted ? { kind: 'stopped' as const } : await act(job, await answer(job), clock);
      const model = job.model.id ?? 'claude-double';
      return {
        ...verdict,
        handoff: null,
        figures: {
          ...NO_FIGURES,
          turns: 1,
          costUsd,
          reportedUsd: costUsd,
          ms: clock.now() - startedAt,
          model,
          models: [model],
          sessionId: job.phaseRun,
          steps: 1,
        },
      };
    },
  };
}

async function act(job: AgentJob, answer: DoubleAnswer, clock: Clock): Promise<OutcomeVerdict> {
  if (answer.kind === 'never-ends') return untilEnded(job, clock);
  if (answer.kind !== 'works') return answer;
  for (const [path, content] of Object.entries(answer.files ?? {})) {
    const file = join(job.clone.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const verdict = judgeOutput(answer.result, job.nonce);
  if (verdict.kind !== 'succeeded') return verdict;
  try {
    const missing = (await job.missing?.(verdict.result)) ?? null;
    return missing === null ? verdict : { kind: 'no-op' };
  } catch (error) {
    // Like the real one: any error counts as a failure of the agent.
    if (job.signal.aborted) return { kind: 'stopped' };
    return { kind: 'failed', cause: 'tool', why: `The work could not be looked at: ${String(error)}` };
  }
}

async function untilEnded({ signal, limits }: AgentJob, clock: Clock): Promise<OutcomeVerdict> {
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + limits.capMs, () => resolve({ kind: 'timed-out' }));
    const stop = (): void => {
      cancel();
      resolve({ kind: 'stopped' });
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
