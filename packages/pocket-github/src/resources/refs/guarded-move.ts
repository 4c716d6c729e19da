import type { RefUpdate } from '../../git/git-repository.js';
import { settledUpdate } from '../../git/protocol/incoming-update.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { type GitHubError, unprocessable } from '../../world/errors.js';
import type { Repository } from '../../world/model.js';
import { type PushRefusal, pushPolicy } from '../protection/push-gate.js';
import { moveRefs } from './rules.js';

/** How one way in words the refusal of a rule. */
export type RefusalWords = (refusal: PushRefusal) => GitHubError;

/** The words of the refs API, which most others share. */
export const refusedUpdate: RefusalWords = (refusal) => unprocessable(refusalText(refusal));

/** What the APIs say of rules in the way. */
export function refusalText({ cause, violations }: PushRefusal): string {
  if (cause === 'ruleset') return `Repository rule violations found\n\n${violations.join('\n\n')}\n\n`;
  return cause === 'default branch' ? 'Cannot delete the default branch' : violations.join(' ');
}

/** Moves a ref for a client of the API: what it could not push it cannot do here either. Call inside `world.exclusive`. */
export async function moveGuarded(
  context: Context,
  repository: Repository,
  update: RefUpdate,
  words: RefusalWords = refusedUpdate,
): Promise<void> {
  const { world, urls, viewer } = context;
  const judge = pushPolicy({ db: world.tables, urls, viewer }, repository);
  const refusal = await judge(update, settledUpdate(world.git(repository.id), update));
  if (refusal !== null) throw words(refusal);
  if (await moveRefs(world, actorOf(viewer), repository, [update])) return;
  throw new Error(`${update.name} of repository ${repository.id} is not where the records say`);
}
