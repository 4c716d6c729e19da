import type { Lru } from '../cache/lru.js';
import type { IssueRef, Oid, RepoRef } from '../domain/issue/ids.js';
import type { Policy } from '../domain/limits/policy.js';
import type { IssueSnapshot } from '../domain/state/snapshot.js';
import type { BudgetConfig } from '../domain/limits/budgets.js';
import type { ModelConfig } from '../domain/limits/tier.js';
import type { ModelAccount } from '../ports/model-account.js';
import type { Agent } from '../ports/agent.js';
import type { Clock } from '../ports/clock.js';
import type { EventLog } from '../ports/event-log.js';
import type { GitHost } from '../ports/git-host.js';
import type { GitHub, SnapshotHints } from '../ports/github.js';
import type { Liveness } from '../ports/liveness.js';
import type { Log } from '../ports/log.js';
import type { Queue } from '../ports/queue.js';
import type { RunNotes } from '../ports/run-notes.js';
import type { StateStore } from '../ports/state-store.js';
import type { RequestQuota } from '../ports/request-quota.js';
import type { Workspace } from '../ports/workspace.js';
import type { RecentCommands } from '../ports/recent-commands.js';

/** Everything the use cases need from outside. */
export interface Engine {
  readonly github: GitHub;
  readonly gitHost: GitHost;
  readonly states: StateStore;
  readonly workspace: Workspace;
  readonly agent: Agent;
  readonly modelAccount: ModelAccount;
  readonly models: ModelConfig;
  readonly budgets: BudgetConfig;
  readonly queue: Queue;
  readonly requestQuota: RequestQuota;
  readonly recentCommands: RecentCommands;
  readonly liveness: Liveness;
  readonly runNotes: RunNotes;
  /** Whether the operator lets us work on this repository. */
  readonly serves: (repo: RepoRef) => boolean;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly log: Log;
  /** The name of this instance in leases. */
  readonly instance: string;
  /** A fresh unguessable id: run ids, phase runs, nonces. */
  readonly newId: () => string;
  /** The test command the base branch's configuration names. */
  readonly testCommand: (repo: RepoRef, base: Oid) => Promise<string | null>;
  /** File patterns that the base branch's configuration adds to those only people may change. */
  readonly protectedPatterns: (repo: RepoRef, base: Oid) => Promise<readonly string[]>;
  /** The rules for an issue: the service's, its repository's, and the holds that apply now. */
  readonly policyFor: (snapshot: IssueSnapshot) => Promise<Policy>;
  /** Commits on which a test command passed, by repository, commit and command. A hint: without it, tests run again. */
  readonly greenCommits: Lru<true>;
  /** Snapshots of issues whose phase was queued a moment ago. A hint: without it, the phase reads again. */
  readonly recentSnapshots: Lru<IssueSnapshot>;
  /** What the next read of an issue should ask for. Losing it costs one request. */
  readonly hints: Lru<SnapshotHints>;
}

/** The part of the engine that only reads issues. */
export type Observer = Pick<
  Engine,
  'github' | 'gitHost' | 'states' | 'clock' | 'newId' | 'testCommand' | 'protectedPatterns' | 'policyFor' | 'hints'
>;

/** Logs why the engine does something. */
export function logDecision(engine: Engine, ref: IssueRef, fields: object): void {
  engine.log.info({ issue: `${ref.owner}/${ref.repo}#${ref.number}`, ...fields }, 'decided');
}
