import type { GitHubEvent } from '../../../../src/domain/intent/github-event.js';
import type { Engine } from '../../../../src/usecases/engine.js';
import { handleEvent } from '../../../../src/usecases/commands/handle-event.js';
import type { CrashScenario } from './crash-scenario.js';
import type { CrashWorld } from './crash-world.js';

/** What has been said so far, and how much of it the service has answered. */
export interface FeedProgress {
  readonly events: readonly GitHubEvent[];
  readonly delivered: number;
}

/** How soon whoever works on an issue looks whether somebody wants something of it. */
const NOTICED_MS = 6_000;

/** Lets people say their part and brings it to whichever instance is alive, again if it was not answered. */
export class WebhookFeed {
  readonly #world: CrashWorld;
  readonly #scenario: CrashScenario;
  readonly #events: GitHubEvent[];
  #delivered: number;
  /** How much of it whoever works has had the time to notice. */
  #noticed: number;
  #round: Promise<void> = Promise.resolve();

  constructor(
    world: CrashWorld,
    scenario: CrashScenario,
    { events, delivered }: FeedProgress = { events: [], delivered: 0 },
  ) {
    this.#world = world;
    this.#scenario = scenario;
    this.#events = [...events];
    this.#delivered = delivered;
    this.#noticed = delivered;
  }

  progress(): FeedProgress {
    return { events: [...this.#events], delivered: this.#delivered };
  }

  /** Everything that can be said by now is said and brought. */
  deliver(engine: Engine): Promise<void> {
    this.#round = this.#round.then(() => this.#deliver(engine));
    return this.#round;
  }

  /** The same while somebody is at work, who notices within seconds; whoever waits for the next round hears of trouble. */
  readonly deliverMeanwhile = (engine: Engine): void => {
    this.#deliverAndNotice(engine).catch(() => undefined);
  };

  async #deliverAndNotice(engine: Engine): Promise<void> {
    await this.deliver(engine);
    if (this.#delivered > this.#noticed) this.#world.clock.advance(NOTICED_MS);
    this.#noticed = this.#delivered;
  }

  async #deliver(engine: Engine): Promise<void> {
    for (;;) {
      const undelivered = this.#events[this.#delivered];
      if (undelivered !== undefined) {
        if (this.#scenario.isSweptOnly !== true) await handleEvent(engine, undelivered);
        this.#delivered += 1;
        continue;
      }
      const next = this.#scenario.comments[this.#events.length];
      if (next === undefined || next.when?.(this.#world) === false) return;
      this.#events.push(await this.#world.say(next.comment));
    }
  }
}
