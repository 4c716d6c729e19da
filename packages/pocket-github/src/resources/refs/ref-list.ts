import type { Context } from '../../http/context.js';
import type { Ref, Repository } from '../../world/model.js';
import { peeledCommit } from '../commits/peeled-commit.js';

export interface RefsArgs {
  readonly refPrefix: string;
  readonly query?: string | null;
  readonly direction?: Direction | null;
  readonly orderBy?: { readonly field: 'ALPHABETICAL' | 'TAG_COMMIT_DATE'; readonly direction: Direction } | null;
}

type Direction = 'ASC' | 'DESC';

/** The refs below a prefix, by name; tags, if asked for, by the date of their commits. */
export async function listRefs(context: Context, repository: Repository, args: RefsArgs): Promise<Ref[]> {
  const { refPrefix, orderBy } = args;
  const query = args.query?.toLowerCase() ?? '';
  const refs = context.db.refs
    .by('repositoryId', repository.id)
    .filter(({ name }) => name.startsWith(refPrefix) && name.slice(refPrefix.length).toLowerCase().includes(query))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const direction = orderBy?.direction ?? args.direction ?? 'ASC';
  const byDate = orderBy?.field === 'TAG_COMMIT_DATE' && refPrefix.startsWith('refs/tags/');
  const sorted = byDate ? await sortedByDate(context, refs) : refs;
  return direction === 'DESC' ? sorted.reverse() : sorted;
}

async function sortedByDate({ world }: Context, refs: readonly Ref[]): Promise<Ref[]> {
  const dated = await Promise.all(
    refs.map(async (ref) => {
      const commit = await peeledCommit(world.git(ref.repositoryId), ref.oid);
      return { ref, at: commit?.committer.at ?? 0 };
    }),
  );
  return dated.sort((a, b) => a.at - b.at).map(({ ref }) => ref);
}
