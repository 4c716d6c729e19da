import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from './clock/clock.js';
import { ManualClock } from './clock/manual-clock.js';
import type { CiScript } from './ci/ci-script.js';
import { startCi } from './ci/ci.js';
import { controlSurface } from './control/control-surface.js';
import { FaultPlan } from './faults/fault-plan.js';
import { BareStore } from './git/bare-store.js';
import { SmartHttp } from './git/protocol/smart-http.js';
import { GraphqlEngine } from './graphql/engine.js';
import { mergeResolvers } from './graphql/resolvers.js';
import { bindResolvers, loadGitHubSchema } from './graphql/schema.js';
import { Gate } from './http/gate.js';
import { gitSurface } from './http/git-surface.js';
import { graphqlSurface } from './http/graphql-surface.js';
import { PushRate } from './http/push-rate.js';
import { Pushes } from './http/pushes.js';
import { GITHUB_RATE_LIMITS, RateLimiter, type RateLimits } from './http/rate-limit.js';
import { restSurface } from './http/rest-surface.js';
import { Router } from './http/router.js';
import { PocketServer } from './http/server.js';
import { Journal } from './journal/journal.js';
import { pagesSurface } from './pages/pages-surface.js';
import { RESOURCES } from './resources/index.js';
import { type Urls, urlsFor } from './urls.js';
import { startWebhooks } from './webhooks/dispatcher.js';
import { type Habits, type Lags, RUDE_HABITS, World } from './world/world.js';

export interface PocketOptions {
  readonly clock: Clock;
  /** 0 picks a free port. */
  readonly port?: number;
  /** Where the bare repositories live; a temporary folder, removed at the end, without. */
  readonly folder?: string;
  /** Of everything random: which requests a fault by chance hits. */
  readonly seed?: number;
  readonly rateLimits?: Partial<RateLimits>;
  /** On the real clock `mergeable` is unknown for 1.5 s by default, on a manual one for no time. */
  readonly lags?: Partial<Lags>;
  /** Refuse what a repository is pushed beyond this within a minute; without, pushes are only counted. */
  readonly pushesPerMinute?: number;
  readonly habits?: Partial<Habits>;
  readonly ciScripts?: readonly CiScript[];
  /** Told of defects in Pocket itself, which answer 500. */
  readonly onDefect?: (error: unknown) => void;
}

/** A running Pocket GitHub. */
export interface Pocket {
  readonly urls: Urls;
  readonly world: World;
  readonly journal: Journal;
  readonly faults: FaultPlan;
  requestsUnderWay(): number;
  /** Resolves when no delivery and no check is under way. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a GitHub on loopback: REST, GraphQL, git, webhooks, checks and pages over one world. */
export async function startPocket(options: PocketOptions): Promise<Pocket> {
  const { clock } = options;
  const defects: unknown[] = [];
  const server = new PocketServer(options.onDefect ?? ((error) => void defects.push(error)));
  // First, because it may fail and then nothing is left behind.
  const urls = urlsFor(await server.listen(options.port ?? 0));
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'pocket-github-')));
  const gitStore = new BareStore(folder);
  const world = new World({
    clock,
    gitStore,
    lags: { ...usualLags(clock), ...options.lags },
    habits: { ...RUDE_HABITS, ...options.habits },
  });
  const faults = new FaultPlan(options.seed ?? 1);
  const journal = new Journal();
  const limiter = new RateLimiter(clock, { ...GITHUB_RATE_LIMITS, ...options.rateLimits });
  const webhooks = startWebhooks({ world, urls, faults, journal, resources: RESOURCES });
  const ci = startCi({ world, scripts: options.ciScripts ?? [] });
  for (const resource of RESOURCES) for (const reaction of resource.reactions ?? []) world.react(reaction);
  world.react(ci.reaction);
  const gate = new Gate({ world, faults, journal, limiter, urls });
  const smart = new SmartHttp();
  const settle = () => settled(webhooks, ci, world.alarms);
  server.mount([
    restSurface(gate, new Router(RESOURCES.flatMap((resource) => resource.routes ?? []))),
    graphqlSurface(gate, sharedEngine()),
    gitSurface(gate, smart, new Pushes({ faults, journal, rate: new PushRate(options.pushesPerMinute ?? null) })),
    controlSurface({ world, clock, faults, journal, settle }),
    pagesSurface({ world, urls }),
  ]);
  return {
    urls,
    world,
    journal,
    faults,
    requestsUnderWay: () => server.requestsUnderWay(),
    settle,
    close: async () => {
      smart.close();
      await server.close();
      world.alarms.clear();
      await ci.close();
      await webhooks.close();
      await gitStore.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
      if (defects.length > 0) throw new AggregateError(defects, 'Pocket GitHub had defects');
    },
  };
}

/**
 * On the real clock as on github.com, where `mergeable` is unknown at first. On a clock that stands still it would stay so,
 * therefore tests that move time themselves choose.
 */
const usualLags = (clock: Clock): Lags => ({ mergeableMs: clock instanceof ManualClock ? 0 : 1500 });

/** The same for every Pocket of a process: binding GitHub's schema takes a third of a second. */
const sharedEngine = once(() => {
  const resolvers = mergeResolvers(RESOURCES.map((resource) => resource.resolvers ?? {}));
  return new GraphqlEngine(bindResolvers(loadGitHubSchema(), resolvers));
});

function once<T>(make: () => T): () => T {
  const made: T[] = [];
  return () => (made[0] ??= make());
}

interface Busy {
  idle(): Promise<void>;
  isIdle(): boolean;
}

/** A check's end causes deliveries, and a delivery may cause a push. So wait until neither is in progress. */
async function settled(...busy: readonly Busy[]): Promise<void> {
  while (busy.some((part) => !part.isIdle())) for (const part of busy) await part.idle();
}
