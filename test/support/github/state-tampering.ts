import type { Oid } from '../../../src/domain/issue/ids.js';
import { findRef } from '#pocket-github/testing';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

/** Somebody who may push to the repository, and moves the state refs of issues by hand. */
export function stateTampering(pocket: () => TestPocket, who: Person = 'wren') {
  const name = (number: number): string => `sluice/issue-${number}`;
  const git = () => pocket().rest(who).rest.git;
  const tip = (number: number): Oid => {
    const p = pocket();
    const found = findRef(p.pocket.world.tables, p.repository.id, `refs/${name(number)}`);
    if (found === undefined) throw new Error(`issue ${number} has no state`);
    return found.oid;
  };
  const put = async (number: number, sha: Oid): Promise<void> => {
    await git().updateRef({ ...pocket().at, ref: name(number), sha, force: true });
  };
  return {
    tip,
    /** Force-pushes any commit there. */
    put,
    remove: (number: number) => git().deleteRef({ ...pocket().at, ref: name(number) }),
    /** All states so far, newest first. */
    history: async (number: number): Promise<readonly Oid[]> => {
      const p = pocket();
      const repository = p.pocket.world.git(p.repository.id);
      const oids: Oid[] = [];
      for (let oid: Oid | undefined = tip(number); oid !== undefined; ) {
        oids.push(oid);
        oid = (await repository.commit(oid))?.parents[0];
      }
      return oids;
    },
    /** A commit with the files of an older state that still is a fast-forward: its first parent is the older one's. */
    mergeOver: async (number: number, old: Oid): Promise<Oid> => {
      const { data } = await git().getCommit({ ...pocket().at, commit_sha: old });
      const parents = [...data.parents.slice(0, 1).map(({ sha }) => sha), tip(number)];
      const merged = { ...pocket().at, message: 'Merge', tree: data.tree.sha, parents };
      const { data: commit } = await git().createCommit(merged);
      await git().updateRef({ ...pocket().at, ref: name(number), sha: commit.sha });
      return commit.sha;
    },
    /** Any bytes at all where the state belongs. */
    putBytes: async (number: number, bytes: Buffer | string): Promise<void> => {
      const at = pocket().at;
      const content = Buffer.from(bytes).toString('base64');
      const { data: blob } = await git().createBlob({ ...at, content, encoding: 'base64' });
      const entry = { path: 'state.json', mode: '100644', type: 'blob', sha: blob.sha } as const;
      const { data: tree } = await git().createTree({ ...at, tree: [entry] });
      const { data: commit } = await git().createCommit({ ...at, message: 'x', tree: tree.sha, parents: [] });
      const ref = { ...at, ref: `refs/${name(number)}`, sha: commit.sha };
      await git()
        .createRef(ref)
        .catch(() => put(number, commit.sha));
    },
  };
}
