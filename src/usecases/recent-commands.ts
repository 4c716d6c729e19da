import { formatRepo, type RepoRef } from '../domain/ids.js';
import type { Clock, Instant } from '../ports/clock.js';
import type { Standing } from './permission.js';

/** What came of a command, as it is to be told. */
export interface Outcome {
  readonly reaction: 'ROCKET' | 'CONFUSED';
  /** What there is to say besides. */
  readonly texts: readonly string[];
}

/** What this process found out a moment ago about commands. All of it may be forgotten: it is found out again. */
export interface RecentCommands {
  /** Who somebody was found to be, if they may not do everything. It may refuse and never permits: for that GitHub is asked. */
  standingOf(repo: RepoRef, accountId: number): Standing | null;
  noteStanding(repo: RepoRef, accountId: number, standing: Standing): void;
  /** Of a command that was carried out and may not have been answered yet. It must not be carried out again for the sake of the answer. */
  outcomeOf(commentId: string): Outcome | 'answered' | null;
  noteOutcome(commentId: string, outcome: Outcome | 'answered'): void;
}

const STANDING_MS = 60_000;
const MOST_STANDINGS = 10_000;
const MOST_OUTCOMES = 2_000;

export function createRecentCommands(clock: Clock): RecentCommands {
  const standings = new Map<string, { readonly standing: Standing; readonly until: Instant }>();
  const outcomes = new Map<string, Outcome | 'answered'>();
  const key = (repo: RepoRef, accountId: number): string => `${formatRepo(repo).toLowerCase()} ${accountId}`;
  return {
    standingOf: (repo, accountId) => {
      const known = standings.get(key(repo, accountId));
      return known === undefined || known.until <= clock.now() ? null : known.standing;
    },
    noteStanding: (repo, accountId, standing) => {
      if (standing === 'drives') standings.delete(key(repo, accountId));
      else put(standings, key(repo, accountId), { standing, until: clock.now() + STANDING_MS }, MOST_STANDINGS);
    },
    outcomeOf: (commentId) => outcomes.get(commentId) ?? null,
    noteOutcome: (commentId, outcome) => put(outcomes, commentId, outcome, MOST_OUTCOMES),
  };
}

/** As the newest entry; the oldest goes when there are too many. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
