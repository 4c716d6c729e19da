import { findPull, seedPersonalToken } from '#pocket-github/testing';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';
import { answerInProcess } from '#pocket-github/test/in-process-git';

/** A stranger without rights in `ada/sandbox` who has a fork with a branch named like ours. */
export interface StrangerFork {
  /** Opens a pull request from that branch; a second one only after the first was closed. */
  open(): Promise<number>;
  close(pull: number): Promise<void>;
  /** Opens and closes this many, one after another. */
  openAndClose(count: number): Promise<void>;
  /** Adds closed ones directly, because a thousand requests take too long. */
  addClosedCopies(count: number): Promise<void>;
  /** Adds open ones directly. */
  addOpenCopies(count: number): Promise<void>;
  deleteFork(): Promise<void>;
}

export async function openStrangerFork(p: TestPocket, branch: string, who: Person = 'mallory'): Promise<StrangerFork> {
  const { rest } = p.rest(who);
  const { data: fork } = await rest.repos.createFork({ ...p.at, default_branch_only: true });
  answerInProcess(p.pocket.world.git(fork.id));
  const at = { owner: who, repo: fork.name };
  const { data: main } = await rest.git.getRef({ ...at, ref: 'heads/main' });
  await rest.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: main.object.sha });
  const content = Buffer.from('theirs\n').toString('base64');
  await rest.repos.createOrUpdateFileContents({ ...at, path: 'theirs.txt', branch, content, message: 'Theirs' });
  const open = async (): Promise<number> => {
    p.clock.advance(1_000);
    const { data } = await rest.pulls.create({ ...p.at, title: 'Theirs', head: `${who}:${branch}`, base: 'main' });
    return data.number;
  };
  const close = async (pull: number): Promise<void> => {
    p.clock.advance(1_000);
    await rest.pulls.update({ ...p.at, pull_number: pull, state: 'closed' });
  };
  const copies = (first: number, count: number): void => {
    const { world } = p.pocket;
    const pull = findPull(world.tables, p.repository.id, first);
    if (pull === undefined) throw new Error('there is no pull request to multiply');
    const issue = world.tables.issues.must(pull.issueId);
    const { nextNumber } = world.tables.repositories.must(p.repository.id);
    for (let number = nextNumber; number < nextNumber + count; number += 1) {
      const [id, issueId] = [world.newId(), world.newId()];
      world.tables.issues.insert({ ...issue, id: issueId, pullId: id, number });
      world.tables.pulls.insert({ ...pull, id, issueId, number });
    }
    const repository = world.tables.repositories.must(p.repository.id);
    world.tables.repositories.update(repository, { nextNumber: nextNumber + count });
  };
  return {
    open,
    close,
    openAndClose: async (count) => {
      for (let left = count; left > 0; left -= 1) await close(await open());
    },
    addClosedCopies: async (count) => {
      const first = await open();
      await close(first);
      copies(first, count);
    },
    addOpenCopies: async (count) => copies(await open(), count),
    deleteFork: async () => {
      const { text } = seedPersonalToken(p.pocket.world, p.users[who], ['repo', 'delete_repo']);
      p.clock.advance(1_000);
      const url = `${p.pocket.urls.api}/repos/${at.owner}/${at.repo}`;
      const { status } = await fetch(url, { method: 'DELETE', headers: { authorization: `token ${text}` } });
      if (status !== 204) throw new Error(`the fork was not deleted: ${status}`);
    },
  };
}
