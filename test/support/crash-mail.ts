import type { GitHubEvent } from '../../src/domain/github-event.js';
import type { Engine } from '../../src/usecases/engine.js';
import { handleEvent } from '../../src/usecases/handle-event.js';
import type { CrashScenario } from './crash-scenario.js';
import type { CrashWorld } from './crash-world.js';

/** What has been said so far, and how much of it the service has answered. */
export interface Mail {
  readonly said: readonly GitHubEvent[];
  readonly heard: number;
}

/** Lets people say their part and brings it to whichever instance is alive, again if it was not answered. */
export class Postman {
  readonly #world: CrashWorld;
  readonly #scenario: CrashScenario;
  readonly #said: GitHubEvent[];
  #heard: number;
  #round: Promise<void> = Promise.resolve();

  constructor(world: CrashWorld, scenario: CrashScenario, { said, heard }: Mail = { said: [], heard: 0 }) {
    this.#world = world;
    this.#scenario = scenario;
    this.#said = [...said];
    this.#heard = heard;
  }

  mail(): Mail {
    return { said: [...this.#said], heard: this.#heard };
  }

  /** Everything that can be said by now is said and brought. */
  deliver(engine: Engine): Promise<void> {
    this.#round = this.#round.then(() => this.#deliver(engine));
    return this.#round;
  }

  /** The same while somebody is at work; whoever waits for the next round hears of trouble. */
  readonly deliverMeanwhile = (engine: Engine): void => {
    this.deliver(engine).catch(() => undefined);
  };

  async #deliver(engine: Engine): Promise<void> {
    for (;;) {
      const unheard = this.#said[this.#heard];
      if (unheard !== undefined) {
        await handleEvent(engine, unheard);
        this.#heard += 1;
        continue;
      }
      const next = this.#scenario.said[this.#said.length];
      if (next === undefined || next.when?.(this.#world) === false) return;
      this.#said.push(await this.#world.say(next.comment));
    }
  }
}
