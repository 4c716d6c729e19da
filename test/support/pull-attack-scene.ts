import type { Desk, DeskOptions } from './desk.js';
import type { TestPocket } from './pocket.js';

/** The branch of the first issue. */
export const WORK = 'sluice/issue-1';

interface Shown {
  readonly number: number;
  readonly author: string;
  readonly state: string;
}

/** An issue of size M on a repository where a stranger has a fork, and what came of it. */
export function pullAttackScene(p: () => TestPocket, atWork: (options?: DeskOptions) => Promise<Desk>) {
  /** Every pull request, oldest first. */
  async function pulls(): Promise<readonly Shown[]> {
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
  async function driven(command: string, options: DeskOptions = {}, first = async () => {}): Promise<Desk> {
    const desk = await atWork({ size: 'M', ...options });
    const issue = await desk.open('wren');
    await first();
    await desk.say('wren', issue, command);
    await desk.finish();
    return desk;
  }

  /** The same, until its pull request is open and waits for checks to appear: nothing has been written down since it was opened. */
  async function justOpened(): Promise<Shown> {
    const desk = await atWork({ size: 'M' });
    await desk.say('wren', await desk.open('wren'), '/auto');
    if ((await desk.state(1)).progress.pull !== null) throw new Error('it is written down already');
    await desk.close();
    const [opened] = await ours();
    if (opened === undefined) throw new Error('there is no pull request');
    return opened;
  }

  /** A service that knows nothing but what is on GitHub goes on, to the end. */
  async function goneOn(before: Desk | null, options: DeskOptions = {}): Promise<Desk> {
    await before?.close();
    const desk = await atWork({ size: 'M', ...options });
    await desk.instance.queue.wake({ ...p().at, number: 1 });
    await desk.finish();
    return desk;
  }

  return { ours, theirs, touched, deleteOnMerge, driven, justOpened, goneOn };
}
