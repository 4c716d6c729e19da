import type { Policy } from '../../../src/domain/limits/policy.js';
import type { Size } from '../../../src/domain/issue/size.js';
import type { IssueState } from '../../../src/domain/state/state.js';
import { configHolds, repoConfigs } from '../../../src/entry/service/repo-configs.js';
import type { Agent } from '../../../src/ports/agent.js';
import type { Engine } from '../../../src/usecases/engine.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { GitHub } from '../../../src/ports/github.js';
import type { HintStore } from '../../../src/ports/hint-store.js';
import type { Liveness } from '../../../src/ports/liveness.js';
import type { Workspace } from '../../../src/ports/workspace.js';
import type { RequestQuota } from '../../../src/ports/request-quota.js';
import { handleEvent } from '../../../src/usecases/commands/handle-event.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { standardAgent } from '../agent/standard-agent.js';
import { loadListeners } from './app-listeners.js';
import { type EngineInstance, startEngineInstance } from './engine-instance.js';
import { MemoryQueueStore } from '../memory/memory-queue-store.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';
import { RecordingLog } from '../recording-log.js';

/** Sluice on Pocket GitHub, without a queue server or a model: people act, webhooks are handled, everything settles. */
export interface EngineHarness {
  readonly instance: EngineInstance;
  readonly log: RecordingLog;
  /** Handles all pending webhooks until there is nothing more to do. */
  settle(): Promise<void>;
  /** The same, but lets time pass when something waits. */
  finish(): Promise<void>;
  open(author: Person, body?: string): Promise<number>;
  say(who: Person, number: number, body: string): Promise<void>;
  state(number: number): Promise<IssueState>;
  labels(number: number): Promise<readonly string[]>;
  /** Our comments on an issue. */
  said(number: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface EngineHarnessOptions {
  readonly size?: Size;
  readonly agent?: (usual: Agent) => Agent;
  readonly turns?: Partial<RequestQuota>;
  readonly policy?: Partial<Policy>;
  readonly serves?: Engine['serves'];
  readonly gitHost?: (usual: GitHost) => GitHost;
  /** What the repository's configuration names. */
  readonly testCommand?: string;
  readonly github?: (usual: GitHub) => GitHub;
  /** Changes the engine before use. */
  readonly engine?: (usual: Engine) => Engine;
  /** Signs of life, where it shares them with other services. */
  readonly liveness?: Liveness;
  /** What Redis remembers, where it shares that with other services. */
  readonly hints?: HintStore;
  readonly workspace?: (usual: Workspace) => Workspace;
}

const ROUNDS = 30;
/** More rounds than any issue needs, so that an endless exchange fails instead of hanging. */
const MOST_ROUNDS = 500;

const same = (usual: Agent): Agent => usual;

export async function openEngineHarness(
  p: TestPocket,
  {
    size = 'XS',
    agent = same,
    turns = {},
    policy = {},
    serves = () => true,
    gitHost = (usual) => usual,
    testCommand = 'true',
    github = (usual) => usual,
    engine: broken = (usual) => usual,
    liveness,
    hints,
    workspace = (usual) => usual,
  }: EngineHarnessOptions = {},
): Promise<EngineHarness> {
  const log = new RecordingLog();
  const store = new MemoryQueueStore();
  const instance = await startEngineInstance(p, {
    agent: (clock) => standardAgent(clock, size),
    store,
    log,
    gitHost,
    ...(liveness === undefined ? {} : { liveness }),
    ...(hints === undefined ? {} : { hints }),
    breakEngine: (engine) =>
      broken({
        ...engine,
        serves,
        testCommand: async () => testCommand,
        agent: agent(engine.agent),
        github: github(engine.github),
        workspace: workspace(engine.workspace),
        requestQuota: { ...engine.requestQuota, ...turns },
        policyFor: async (snapshot) => {
          const usual = await engine.policyFor(snapshot);
          const configs = repoConfigs(engine.gitHost);
          const { route = usual.route, merge = usual.merge } = await configs.at(snapshot.ref, snapshot.base.head);
          const holds = [...(await configHolds(configs, snapshot)), ...usual.holds];
          return { ...usual, route, merge, holds, ...policy };
        },
      }),
  });
  const { engine, queue } = instance;
  const listeners = loadListeners({ accountId: p.app.botId, appId: p.app.id });
  const delivered = { count: p.receiver.received.length };
  const settle = async (): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const news = (await p.deliveries()).slice(delivered.count);
      delivered.count += news.length;
      for (const { event, payload } of news) {
        for (const parsed of await listeners.parse(event, payload)) await handleEvent(engine, parsed);
      }
      await queue.idle();
      if (news.length === 0) return;
    }
    throw new Error(`webhooks led to more webhooks for ${MOST_ROUNDS} rounds`);
  };
  const comments = (number: number) =>
    p.rest('ada').paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...p.at,
      issue_number: number,
    });
  return {
    instance,
    log,
    settle,
    finish: async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await settle();
        const { data } = await p.rest('ada').rest.issues.listForRepo({ ...p.at, labels: 'auto/running' });
        if (data.length === 0) return;
        p.clock.advance(60_000);
      }
    },
    open: async (author, body = 'Write it down.') => {
      const { data } = await p.rest(author).rest.issues.create({ ...p.at, title: 'Do the work', body });
      return data.number;
    },
    say: async (who, number, body) => {
      p.clock.advance(1_000);
      await p.rest(who).rest.issues.createComment({ ...p.at, issue_number: number, body });
      await settle();
    },
    state: async (number) => {
      const snapshot = await observe(engine, { ...p.at, number });
      if (snapshot?.reading.kind !== 'valid') throw new Error(`there is no state: ${snapshot?.reading.kind}`);
      return snapshot.reading.state;
    },
    labels: async (number) => {
      const { data } = await p.rest('ada').rest.issues.listLabelsOnIssue({ ...p.at, issue_number: number });
      return data.map(({ name }) => name).sort();
    },
    said: async (number) =>
      (await comments(number)).filter(({ user }) => user?.id === p.app.botId).map(({ body }) => body ?? ''),
    close: () => instance.end(),
  };
}
