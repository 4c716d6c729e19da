import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { findLabel } from '../../world/lookup.js';
import type { Label, Repository } from '../../world/model.js';
import { MODERATE } from '../issues/access.js';
import { labelsByName } from './rules.js';

/** The labels a request names. Unknown names become labels, for which the caller must be allowed to make labels. */
export async function namedLabels(
  context: Context,
  repository: Repository,
  names: readonly string[],
): Promise<Label[]> {
  const { world, viewer } = context;
  const areKnown = names.every((name) => findLabel(world.tables, repository.id, name) !== undefined);
  if (!areKnown) demand(world.tables, viewer, repository, MODERATE);
  return labelsByName(world, actorOf(viewer), repository, names);
}
