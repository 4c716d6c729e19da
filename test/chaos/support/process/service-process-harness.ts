import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { type Pocket, type RequestEntry, startPocket } from '#pocket-github';
import type { Size } from '../../../../src/domain/issue/size.js';
import { ROOT } from '../../../support/source-files.js';
import { OffsetClock } from './offset-clock.js';
import { type EndState, SingleIssueFixture } from '../crash/single-issue-fixture.js';

const CLI = join(ROOT, 'build/src/entry/cli/cli.js');
const CLAUDE = join(ROOT, 'test/support/agent/claude-double.sh');
const SECRET = 'a webhook secret';
/** Nothing is decided by time; this only ends what hangs, with what was said last. */
const PATIENCE_MS = 4 * 60_000;

type Child = ReturnType<typeof serve>;

function serve(env: Record<string, string>) {
  // Saving the work takes longer than the five seconds after which execa would kill it, where the machine is busy.
  return execa(process.execPath, [CLI, 'serve'], {
    reject: false,
    env,
    extendEnv: false,
    buffer: false,
    forceKillAfterDelay: false,
  });
}

/** Real `sluice serve` processes, one after the other, on one disk and one Redis, with Pocket GitHub around them. */
export class ServiceProcessHarness {
  readonly #clock: OffsetClock;
  readonly #pocket: Pocket;
  readonly #fixture: SingleIssueFixture;
  readonly #folder: string;
  readonly #redisUrl: string;
  readonly #said: string[] = [];
  readonly #watchers = new Set<() => void>();
  #child: Child | null = null;

  private constructor(parts: {
    clock: OffsetClock;
    pocket: Pocket;
    fixture: SingleIssueFixture;
    folder: string;
    redisUrl: string;
  }) {
    this.#clock = parts.clock;
    this.#pocket = parts.pocket;
    this.#fixture = parts.fixture;
    this.#folder = parts.folder;
    this.#redisUrl = parts.redisUrl;
    const { journal } = parts.pocket;
    const add = journal.add.bind(journal);
    journal.add = (entry) => {
      add(entry);
      for (const watch of this.#watchers) watch();
    };
  }

  /** An issue that will be found to be of this size. */
  static async open(size: Size, redisUrl: string): Promise<ServiceProcessHarness> {
    const clock = new OffsetClock();
    const pocket = await startPocket({ clock, ciScripts: [{ when: {}, outcome: 'success' }] });
    const fixture = await SingleIssueFixture.seed(pocket.world, {
      body: `Write it down. (size ${size})`,
      config: 'checks: [test]\n',
    });
    const folder = await mkdtemp(join(tmpdir(), 'kill-'));
    return new ServiceProcessHarness({ clock, pocket, fixture, folder, redisUrl });
  }

  /** Where services keep what they have on disk. */
  get folder(): string {
    return this.#folder;
  }

  /** Starts a service, and tells GitHub where it is. */
  async start(claude = CLAUDE): Promise<void> {
    const { app } = this.#fixture;
    const child = serve({
      PATH: process.env['PATH'] ?? '',
      APP_ID: String(app.id),
      PRIVATE_KEY: app.privateKey,
      GITHUB_API_URL: this.#pocket.urls.api,
      WEBHOOK_SECRET: SECRET,
      ANTHROPIC_API_KEY: 'sk-ant-none',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      SLUICE_CLAUDE: claude,
      SLUICE_REDIS_URL: this.#redisUrl,
      SLUICE_FOLDER: this.#folder,
      PORT: '0',
    });
    this.#child = child;
    child.stderr.on('data', (words: Buffer) => this.#said.push(words.toString()));
    const up = new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        this.#said.push(line);
        const { msg, webhookUrl } = JSON.parse(line) as { msg: string; webhookUrl?: string };
        if (msg === 'service started' && webhookUrl !== undefined) resolve(webhookUrl);
      });
      void child.then(() => reject(new Error(`it ended before it was up:\n${this.#lastWords()}`)));
    });
    const hook = { url: await this.#patiently(up), secret: SECRET };
    this.#pocket.world.tables.apps.update(this.#pocket.world.tables.apps.must(app.id), { hook });
  }

  async say(body: string): Promise<void> {
    await this.#fixture.say(body);
  }

  /** What services have asked of GitHub about the issue so far: looks, writes, pushes. What they ask by the clock does not count. */
  requests(): number {
    const isAboutIt = ({ surface, operation }: RequestEntry): boolean =>
      surface === 'graphql' ? !operation.startsWith('Sweep') : operation.startsWith('git-receive-pack');
    return this.#pocket.journal.requests().filter(isAboutIt).length;
  }

  /** Kills the service, as nobody can notice it, while GitHub answers its request number so and so. False if it came to rest before. */
  async killAtRequest(number: number): Promise<boolean> {
    await this.#until(
      () => this.requests() >= number || this.#fixture.atRest(),
      () => this.#child?.kill('SIGKILL'),
    );
    await this.#child;
    return !this.#fixture.atRest();
  }

  /** The same when something is so; looked at whenever something crosses the wire. */
  async killWhen(isSo: () => boolean): Promise<void> {
    await this.#until(isSo, () => this.#child?.kill('SIGKILL'));
    await this.#child;
  }

  /** Asks the service to end when something is so, and waits until it has. Its exit code. */
  async terminateWhen(isSo: () => boolean): Promise<number | undefined> {
    await this.#until(isSo, () => this.#child?.kill('SIGTERM'));
    return (await this.#child)?.exitCode;
  }

  /** What the issue's state says has happened, oldest first. */
  transitions(): ReturnType<SingleIssueFixture['transitions']> {
    return this.#fixture.transitions();
  }

  /** Names of all refs GitHub has. */
  async refs(): Promise<readonly string[]> {
    return [...(await this.#pocket.world.git(this.#fixture.repository.id).listRefs()).keys()];
  }

  /** GitHub's clock goes on; what waits for it is due. */
  advanceClock(ms: number): void {
    this.#clock.advance(ms);
  }

  /** Resolves when the run rests and everybody has an answer. */
  async untilRest(): Promise<void> {
    await this.#until(() => this.#fixture.atRest() && this.#fixture.isAnswered());
  }

  /** Ends the service in order: what it had begun is done. */
  async end(): Promise<EndState> {
    this.#child?.kill('SIGTERM');
    await this.#child;
    await this.#pocket.settle();
    return this.#fixture.end();
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#child;
    await this.#pocket.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Looks whenever something has crossed the wire; `then` is called in the same breath. */
  async #until(isSo: () => boolean, then: () => void = () => undefined): Promise<void> {
    const off: (() => void)[] = [];
    const happened = new Promise<void>((resolve) => {
      const watch = (): void => {
        if (!isSo()) return;
        then();
        resolve();
      };
      this.#watchers.add(watch);
      off.push(() => this.#watchers.delete(watch));
      watch();
    });
    await this.#patiently(happened).finally(() => off.forEach((leave) => leave()));
  }

  async #patiently<T>(wanted: Promise<T>): Promise<T> {
    const timers: NodeJS.Timeout[] = [];
    const tooLong = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`it did not happen in time; said last:\n${this.#lastWords()}`));
      timers.push(setTimeout(fail, PATIENCE_MS));
    });
    return Promise.race([wanted, tooLong]).finally(() => timers.forEach((timer) => clearTimeout(timer)));
  }

  #lastWords(): string {
    return this.#said.slice(-40).join('\n');
  }
}
