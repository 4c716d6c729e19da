import { findUser } from '../../world/lookup.js';
import type { MergeQueueEntry, MergeQueueRule, Pull } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';
import { seedUser } from '../../seed/seed-repository.js';
import { effectiveRules } from '../protection/effective-rules.js';

/** One queue: those of a repository are apart per base branch. */
export interface Queue {
  readonly repositoryId: number;
  readonly branch: string;
}

/** The rules of the branch's queue; `null` if it has none. Nobody can bypass them. */
export function queueRuleOf(db: Tables, { repositoryId, branch }: Queue): MergeQueueRule | null {
  return effectiveRules(db, db.repositories.must(repositoryId), branch).mergeQueue;
}

/** Who waits, front first. Each one who jumps goes before all others. */
export function entriesOf(db: Tables, { repositoryId, branch }: Queue): MergeQueueEntry[] {
  const entries = db.queueEntries.by('repositoryId', repositoryId).filter((entry) => entry.branch === branch);
  return [...entries.filter(({ jump }) => jump).reverse(), ...entries.filter(({ jump }) => !jump)];
}

export function entryOfPull(db: Tables, pull: Pull): MergeQueueEntry | undefined {
  return db.queueEntries.by('pullId', pull.id)[0];
}

/** The branch GitHub tests an entry on, named after the pull request and what the trial commit was built on. */
export function groupRef(db: Tables, entry: MergeQueueEntry): string {
  return `refs/heads/gh-readonly-queue/${entry.branch}/pr-${db.pulls.must(entry.pullId).number}-${entry.baseOid}`;
}

const BOT = 'github-merge-queue[bot]';

/** In whose name the queue builds, merges and throws out. Comes into being with the first queue. */
export function queueBot(world: World): Actor {
  const bot = findUser(world.tables, BOT) ?? seedUser(world, { login: BOT, type: 'Bot' });
  return { userId: bot.id, viaAppId: null };
}
