import { formatIssue } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import { GitHubError } from '../../ports/github.js';
import type { Log } from '../../ports/log.js';
import type { UnansweredCommand } from './unanswered-commands.js';

/** The webhook gets this long to arrive first. */
export const HEAD_START_MS = 15_000;
/** A handler that has reacted gets this long to finish. */
const BEGUN_MS = 2 * 60_000;
/** Spread over an hour. */
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
  /** Called when the last try has failed, too. */
  readonly giveUp: (command: UnansweredCommand['event'], error: unknown) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Delivers each command once. A failed delivery is repeated with growing pauses, up to a limit. */
export class MissedCommands {
  readonly #parts: MissedCommandsParts;
  readonly #attempts = new Map<string, DeliveryAttempt>();

  constructor(parts: MissedCommandsParts) {
    this.#parts = parts;
  }

  /** `now` is GitHub's clock. Returns whether the command is settled: delivered or given up. */
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
        log.warn({ issue, tries, error: String(error) }, 'missed command not handled');
        if (tries < MOST_TRIES || named.until !== null) return false;
        await giveUp(event, error).catch((why: unknown) =>
          log.error({ issue, error: String(why) }, 'no reply to a command that was given up'),
        );
        return true;
      },
    );
    // A wait that the error names is not a failed try.
    const { until } = named;
    const pause = clock.now() + FIRST_PAUSE_MS * 2 ** (tries - 1);
    this.#attempts.set(key, { tries: until === null ? tries : tries - 1, done, notBefore: until ?? pause });
    return done;
  }

  /** Forgets commands that are too old to be found again. */
  prune(): void {
    const { clock } = this.#parts;
    for (const [key, { notBefore }] of this.#attempts)
      if (notBefore < clock.now() - KEPT_MS) this.#attempts.delete(key);
  }
}
