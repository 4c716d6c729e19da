import type { Agent } from '../../../src/ports/agent.js';
import type { GitHub } from '../../../src/ports/github.js';
import type { EngineHarness, EngineHarnessOptions } from '../service/engine-harness.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

/** The verdicts a person can submit. */
type Verdict = 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';

/** An issue of size M whose pull request is reviewed by Sluice and not merged yet. */
export interface ReviewedPull {
  readonly harness: EngineHarness;
  readonly issue: number;
  readonly pull: number;
  /** All prompts, by phase. */
  readonly prompts: readonly { readonly phase: string; readonly prompt: string }[];
  review(who: Person, event: Verdict | null, body: string, more?: ReviewMore): Promise<number>;
  dismiss(who: Person, review: number): Promise<void>;
  isMerged(): Promise<boolean>;
  status(): Promise<string>;
  /** The number of merge requests to GitHub. */
  merges(): number;
}

interface ReviewMore {
  readonly comments?: { path: string; line: number; body: string }[];
  readonly commit_id?: string;
}

interface ReviewedPullOptions extends EngineHarnessOptions {
  readonly command?: string;
}

type OpenHarness = (options?: EngineHarnessOptions) => Promise<EngineHarness>;

/** Drives an issue by `/auto --stop-at review`, or by another command, until it rests. */
export async function openReviewedPull(
  p: TestPocket,
  open: OpenHarness,
  options: ReviewedPullOptions = {},
): Promise<ReviewedPull> {
  const { command = '/auto --stop-at review', agent = (usual: Agent) => usual, ...others } = options;
  const prompts: { phase: string; prompt: string }[] = [];
  const since = p.pocket.journal.lastSeq();
  const listening = (usual: Agent): Agent => {
    const inner = agent(usual);
    return {
      run: (job) => {
        prompts.push({ phase: job.phase, prompt: job.prompt });
        return inner.run(job);
      },
    };
  };
  const harness = await open({ size: 'M', agent: listening, ...others });
  const issue = await harness.open('wren');
  await harness.say('wren', issue, command);
  await harness.finish();
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  const pull = data[0]?.number ?? 0;
  const at = { ...p.at, pull_number: pull };
  return {
    harness,
    issue,
    pull,
    prompts,
    review: async (who, event, body, more = {}) => {
      p.clock.advance(1_000);
      const verdict = event === null ? {} : { event };
      const { data: made } = await p.rest(who).rest.pulls.createReview({ ...at, ...verdict, body, ...more });
      return made.id;
    },
    dismiss: async (who, review) => {
      p.clock.advance(1_000);
      await p.rest(who).rest.pulls.dismissReview({ ...at, review_id: review, message: 'Settled.' });
    },
    isMerged: async () => (await p.rest('ada').rest.pulls.get(at)).data.merged,
    status: async () => (await harness.said(issue)).find((body) => body.includes('sluice:status')) ?? '',
    merges: () => p.pocket.journal.requests(since).filter(({ operation }) => operation === 'MergePull').length,
  };
}

/** A GitHub on which something happens once between the decision to merge and the last read. */
export function actBeforeMerge(log: () => EngineHarness['log'] | null, act: () => Promise<unknown>) {
  const done = { yet: false };
  return (usual: GitHub): GitHub => ({
    ...usual,
    snapshot: async (ref, hints) => {
      const last = log()?.lines.findLast(({ message }) => message === 'decided');
      const isMerge = JSON.stringify(last?.fields ?? {}).includes('is reviewed and its checks are green');
      if (isMerge && !done.yet) {
        done.yet = true;
        await act();
      }
      return usual.snapshot(ref, hints);
    },
  });
}
