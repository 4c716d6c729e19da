import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Ref } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import type { World } from '../../world/world.js';

/** A ref with the type of what it points at, which only git knows. */
export async function refJson({ db, urls, world }: Scope & { readonly world: World }, ref: Ref) {
  const repository = db.repositories.must(ref.repositoryId);
  const api = `${urls.api}/repos/${fullName(db, repository)}/git`;
  const type = ref.name.startsWith('refs/heads/') ? 'commit' : (await world.git(repository.id).object(ref.oid))?.type;
  return {
    ref: ref.name,
    node_id: formatNodeId('refs', ref.id),
    url: `${api}/${ref.name}`,
    object: { sha: ref.oid, type: type ?? 'commit', url: `${api}/${type ?? 'commit'}s/${ref.oid}` },
  } satisfies components['schemas']['git-ref'];
}
