import type { TranscriptPolicy } from '../../adapters/agent/transcripts.js';
import type { RequestQuotaLimits } from '../../adapters/redis/redis-request-quota.js';
import type { ModelCredential } from '../../adapters/model-gate/run-token.js';
import type { BudgetConfig } from '../../domain/limits/budgets.js';
import type { Policy } from '../../domain/limits/policy.js';
import type { SandboxLimits } from '../../domain/limits/sandbox-limits.js';
import type { ModelConfig } from '../../domain/limits/tier.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Swap } from '../../ports/state-store.js';
import type { GitHubConfig } from './connect.js';

/** Begins every key of ours in Redis. */
export const REDIS_PREFIX = 'sluice';

/** Everything that differs between a demo on loopback and a service for github.com. */
export interface ServiceConfig extends GitHubConfig {
  readonly model: { readonly url: URL; readonly credential: ModelCredential };
  readonly redisUrl: string | undefined;
  /** Mirrors, clones, sockets: may be deleted while nothing runs. */
  readonly folder: string;
  /** The `claude` program itself. */
  readonly claude: string;
  /** Where `.claude-plugin` and `skills` are. */
  readonly product: string;
  readonly path: string;
  /** Lets agents run without a sandbox even where strangers can reach us. */
  readonly unsafeNoSandbox?: boolean;
  /** What one command may use of the machine; has defaults. */
  readonly sandboxLimits?: SandboxLimits;
  /** A cgroup that enforces the same limits. */
  readonly cgroup?: string | undefined;
  readonly limits?: Partial<Omit<Policy, 'identity' | 'holds' | 'budgets'>>;
  readonly requestQuota?: Partial<RequestQuotaLimits>;
  /** `owner/repo` or `owner/*`; none means all it is installed on. */
  readonly repositories?: readonly string[];
  /** Absent: the CLI chooses. */
  readonly models?: ModelConfig;
  readonly budgets?: BudgetConfig;
  /** Why nothing may start at all. */
  readonly stoppedBecause?: string | null;
  /** Which conversations with the model outlive their run. */
  readonly transcripts?: TranscriptPolicy['keep'];
}

/** What a composition is given from outside. */
export interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Takes secrets out of what is kept about runs. */
  readonly redact: (text: string) => string;
  /** Called for every state that was swapped in. */
  readonly onSwap?: (swap: Swap) => void;
}
