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

/** Everything the use cases need from outside, and nothing else. */
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
  /** This instance, as leases name it. */
  readonly instance: string;
  /** A fresh unguessable id: run ids, phase runs, nonces. */
  readonly newId: () => string;
  /** The test command the base branch's configuration names. */
  readonly testCommand: (repo: RepoRef, base: Oid) => Promise<string | null>;
  /** Patterns of files only people change, as the base branch's configuration adds them. */
  readonly protectedPatterns: (repo: RepoRef, base: Oid) => Promise<readonly string[]>;
  /** The rules for an issue: the service's, its repository's, and what holds it up at this moment. */
  readonly policyFor: (snapshot: IssueSnapshot) => Promise<Policy>;
  /** Commits on which a test command passed, by repository, commit and command. A hint: without it, tests run again. */
  readonly greenCommits: Lru<true>;
  /** What was seen when a phase was queued a moment ago. A hint: without it, the phase looks for itself. */
  readonly recentSnapshots: Lru<IssueSnapshot>;
  /** What the last look taught about an issue. Forgetting it costs one request. */
  readonly hints: Lru<SnapshotHints>;
}

/** What looking at an issue takes: nothing that works on one. */
export type Observer = Pick<
  Engine,
  'github' | 'gitHost' | 'states' | 'clock' | 'newId' | 'testCommand' | 'protectedPatterns' | 'policyFor' | 'hints'
>;

/** Why the engine does something, as a log line. */
export function logDecision(engine: Engine, ref: IssueRef, fields: object): void {
  engine.log.info({ issue: `${ref.owner}/${ref.repo}#${ref.number}`, ...fields }, 'decided');
}
