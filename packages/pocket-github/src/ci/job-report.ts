import type { RunChange } from '../resources/checks/runs.js';
import type { CheckConclusion, CiJob } from '../world/model.js';
import type { JobEnding } from './job-process.js';

type Finished = Exclude<JobEnding, { kind: 'stopped' }>;

/** What a check run says of a command that ended. */
export function reportOf(job: CiJob, ending: Finished): RunChange {
  const summary = `\`${job.run}\` ${sentenceOf(job, ending)}.\n\n${fenced(ending.output)}`;
  return { conclusion: conclusionOf(ending), output: { title: titleOf(job, ending), summary } };
}

/** What a check run says of a job whose end was scripted, or that never got to its command. */
export function reportWithoutRun(conclusion: CheckConclusion, why: string): RunChange {
  return { conclusion, output: { title: `Ended as ${conclusion} without running`, summary: why } };
}

function conclusionOf(ending: Finished): CheckConclusion {
  if (ending.kind === 'timed-out') return 'timed_out';
  return ending.kind === 'exited' && ending.code === 0 ? 'success' : 'failure';
}

function titleOf(job: CiJob, ending: Finished): string {
  return conclusionOf(ending) === 'success' ? `${job.name} passed` : `${job.name} ${sentenceOf(job, ending)}`;
}

function sentenceOf(job: CiJob, ending: Finished): string {
  if (ending.kind === 'exited') return `ended with exit code ${ending.code}`;
  if (ending.kind === 'killed') return `was ended by ${ending.signal}`;
  return `did not finish within ${job.timeoutMs / 1000} s`;
}

/** Output as a code block whose fence is longer than any in the output. */
function fenced(output: string): string {
  const longest = Math.max(2, ...(output.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return output.trim() === '' ? 'It printed nothing.' : `${fence}\n${output.trimEnd()}\n${fence}`;
}
