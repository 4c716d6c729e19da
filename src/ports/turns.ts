import type { RepoRef } from '../domain/ids.js';
import type { Instant } from './clock.js';

/** Who may ask for how much. Hints: forgetting them only lets somebody ask again. */
export interface Turns {
  /** When a newly requested issue of this repository may start: now, or at the end of the line. Takes the place. */
  start(repo: RepoRef): Promise<Instant>;
  readonly commandsPerHour: number;
  /** Counts a command; `null` when there is room for it, else when there will be. */
  command(accountId: number): Promise<Instant | null>;
}
