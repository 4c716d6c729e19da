import type { AgentPhase } from '../../../src/domain/issue/phase.js';
import type { Agent, AgentJob } from '../../../src/ports/agent.js';
import { agentDouble, type DoubleAnswer } from './agent-double.js';
import { HANDOFF } from './standard-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

type Result = Readonly<Record<string, unknown>>;

/** The usual agent, except that one phase gives this result or does this. */
export function agentAnswering(
  p: () => TestPocket,
  phase: AgentPhase,
  answer: Result | DoubleAnswer | ((job: AgentJob) => Result | DoubleAnswer | Promise<DoubleAnswer>),
  while_: (job: AgentJob) => boolean = () => true,
): (usual: Agent) => Agent {
  return (usual) => {
    const instead = agentDouble({
      clock: p().clock,
      answer: async (job) => {
        const given = typeof answer === 'function' ? await answer(job) : answer;
        return 'kind' in given
          ? (given as DoubleAnswer)
          : { kind: 'works', result: { nonce: job.nonce, handoff: HANDOFF, ...given } };
      },
    });
    return { run: (job) => (job.phase === phase && while_(job) ? instead : usual).run(job) };
  };
}

/** The same agent; records its jobs. */
export const recordingJobs =
  (jobs: AgentJob[], inner: (usual: Agent) => Agent = (usual) => usual) =>
  (usual: Agent): Agent => ({
    run: (job) => {
      jobs.push(job);
      return inner(usual).run(job);
    },
  });

/** A triage of a small issue, with the given changes. */
export const triageResult = (more: Result = {}): Result => ({
  type: 'task',
  size: 'XS',
  reasons: ['One file.'],
  summary: 'Do the work.',
  criteria: [{ text: 'The work is done', verify: 'file_contains work.txt done', stage: 'pre-merge' }],
  questions: [],
  ...more,
});
