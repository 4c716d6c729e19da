import type { EngineHarness, EngineHarnessOptions } from '../service/engine-harness.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/** The branch of the first issue. */
export const WORK = 'sluice/issue-1';

interface PullSummary {
  readonly number: number;
  readonly author: string;
  readonly state: string;
}

/** An issue of size M on a repository that a stranger has forked. */
export function pullAttackFixture(
  p: () => TestPocket,
  atWork: (options?: EngineHarnessOptions) => Promise<EngineHarness>,
) {
  /** Every pull request, oldest first. */
  async function pulls(): Promise<readonly PullSummary[]> {
    const all = await p()
      .rest('ada')
      .paginate('GET /repos/{owner}/{repo}/pulls', { ...p().at, state: 'all', per_page: 100 });
    return all
      .map(({ number, user, state, merged_at }) => ({
        number,
        author: user?.login ?? '',
        state: merged_at === null ? state : 'merged',
      }))
      .toSorted((a, b) => a.number - b.number);
  }

  const ours = async () => (await pulls()).filter(({ author }) => author === 'sluice-dev[bot]');
  const theirs = async () => (await pulls()).filter(({ author }) => author === 'mallory');

  /** What Sluice wrote on a pull request of theirs. */
  async function touched(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { number } of await theirs()) {
      const { data } = await p()
        .rest('ada')
        .rest.issues.listComments({ ...p().at, issue_number: number });
      found.push(...data.flatMap(({ user, body }) => (user?.id === p().app.botId ? [body ?? ''] : [])));
    }
    return found;
  }

  const deleteOnMerge = (is: boolean) =>
    p()
      .rest('ada')
      .rest.repos.update({ ...p().at, delete_branch_on_merge: is });

  /** An issue of size M, driven as far as a command says. */
  async function driven(
    command: string,
    options: EngineHarnessOptions = {},
    first = async () => {},
  ): Promise<EngineHarness> {
    const harness = await atWork({ size: 'M', ...options });
    const issue = await harness.open('wren');
    await first();
    await harness.say('wren', issue, command);
    await harness.finish();
    return harness;
  }

  /** The same, until its pull request is open and waits for checks to appear: nothing has been written down since it was opened. */
  async function justOpened(): Promise<PullSummary> {
    const harness = await atWork({ size: 'M' });
    await harness.say('wren', await harness.open('wren'), '/auto');
    if ((await harness.state(1)).progress.pull !== null) throw new Error('it is written down already');
    await harness.close();
    const [opened] = await ours();
    if (opened === undefined) throw new Error('there is no pull request');
    return opened;
  }

  /** A service that knows only what is on GitHub continues to the end. */
  async function goneOn(before: EngineHarness | null, options: EngineHarnessOptions = {}): Promise<EngineHarness> {
    await before?.close();
    const harness = await atWork({ size: 'M', ...options });
    await harness.instance.queue.wake({ ...p().at, number: 1 });
    await harness.finish();
    return harness;
  }

  return { ours, theirs, touched, deleteOnMerge, driven, justOpened, goneOn };
}
