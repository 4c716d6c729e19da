import { formatIssue } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import { GitHubError } from '../../ports/github.js';
import type { Log } from '../../ports/log.js';
import type { UnansweredCommand } from './unanswered-commands.js';

/** A webhook gets this long to tell it first. */
export const HEAD_START_MS = 15_000;
/** Whoever has begun with it gets this long to end it. */
const BEGUN_MS = 2 * 60_000;
/** From the first to the last try an hour passes. */
const MOST_TRIES = 7;
const FIRST_PAUSE_MS = 60_000;
const KEPT_MS = 24 * 3_600_000;

interface DeliveryAttempt {
  readonly tries: number;
  readonly done: boolean;
  readonly notBefore: Instant;
}

export interface MissedCommandsParts {
  readonly handleCommand: (command: UnansweredCommand['event']) => Promise<void>;
  /** Told of a command that failed the last time too. */
  readonly giveUp: (command: UnansweredCommand['event'], error: unknown) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tells of each command once; what could not be taken in is told again, with growing pauses and a last time. */
export class MissedCommands {
  readonly #parts: MissedCommandsParts;
  readonly #attempts = new Map<string, DeliveryAttempt>();

  constructor(parts: MissedCommandsParts) {
    this.#parts = parts;
  }

  /** `now` is GitHub's clock. Answers whether it is settled: taken in, or given up. */
  async deliver({ event, isBegun }: UnansweredCommand, now: Instant): Promise<boolean> {
    const { commentId: key, at } = event;
    const { handleCommand, giveUp, clock, log } = this.#parts;
    const before = this.#attempts.get(key);
    if (before?.done === true) return true;
    const headStart = isBegun ? BEGUN_MS : HEAD_START_MS;
    if (now - at < headStart || (before !== undefined && clock.now() < before.notBefore)) return false;
    const tries = (before?.tries ?? 0) + 1;
    const named: { until: Instant | null } = { until: null };
    const done = await handleCommand(event).then(
      () => true,
      async (error: unknown) => {
        const issue = formatIssue(event.ref);
        named.until = error instanceof GitHubError ? error.until : null;
        log.warn({ issue, tries, error: String(error) }, 'a command was not taken in');
        if (tries < MOST_TRIES || named.until !== null) return false;
        await giveUp(event, error).catch((why: unknown) =>
          log.error({ issue, error: String(why) }, 'nobody could be told that a command was given up'),
        );
        return true;
      },
    );
    // A time that was named is no failed try.
    const { until } = named;
    const pause = clock.now() + FIRST_PAUSE_MS * 2 ** (tries - 1);
    this.#attempts.set(key, { tries: until === null ? tries : tries - 1, done, notBefore: until ?? pause });
    return done;
  }

  /** Forgets what is too old to be found again. */
  prune(): void {
    const { clock } = this.#parts;
    for (const [key, { notBefore }] of this.#attempts)
      if (notBefore < clock.now() - KEPT_MS) this.#attempts.delete(key);
  }
}
