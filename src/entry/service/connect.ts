import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createGitHost } from '../../adapters/git/git-host.js';
import { createAppClient } from '../../adapters/github/auth/app-client.js';
import { createAppTokens } from '../../adapters/github/auth/app-tokens.js';
import { createGitHub } from '../../adapters/github/github.js';
import { createRateLimits } from '../../adapters/github/client/rate-limits.js';
import { ReadYourWrites, withReadYourWrites } from '../../adapters/github/snapshot/read-your-writes.js';
import { createScanner } from '../../adapters/github/sweep/scanner.js';
import type { NamedIdentity, TokenSource } from '../../adapters/github/auth/token-source.js';
import { createMemoryHintStore } from '../../adapters/redis/memory-hint-store.js';
import type { SigningKeys } from '../../adapters/state/signature.js';
import { withRememberedStates } from '../../adapters/state/remembered-states.js';
import { createStateSealFormat, stateSeals } from '../../adapters/state/state-seal.js';
import { createStateStore } from '../../adapters/state/state-store.js';
import { createLru } from '../../cache/lru.js';
import { isLoopback } from '../../config/github-urls.js';
import { DEFAULT_BUDGETS } from '../../domain/limits/budgets.js';
import { stateOf } from '../../domain/state/evidence.js';
import { formatRepo, type IssueRef } from '../../domain/issue/ids.js';
import { hidePaths } from '../../domain/sanitise/hide-paths.js';
import { DEFAULT_LIMITS, type Policy } from '../../domain/limits/policy.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Clock } from '../../ports/clock.js';
import type { GitHost } from '../../ports/git-host.js';
import type { HintStore } from '../../ports/hint-store.js';
import type { Log } from '../../ports/log.js';
import type { Scanner } from '../../ports/scanner.js';
import type { Observer } from '../../usecases/engine.js';
import { createRelations } from '../../usecases/issue/related-work.js';
import type { LastRead } from '../../usecases/sweep/installation-sweep.js';
import { configHolds, repoConfigs } from './repo-configs.js';
import { redactorFor } from './secrets.js';

/** The GitHub to use, and our App there. */
export interface GitHubConfig {
  readonly apiUrl: string;
  /** Where repositories are cloned from, e.g. `https://github.com`. */
  readonly gitUrl: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  readonly signingKeys: SigningKeys;
}

/** The author of our commits. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

/** The App's bot user, in the form GitHub recognises. Without the account's id the address would belong to whoever has that login. */
export function commitIdentity({ accountId, login }: NamedIdentity, gitUrl: string): CommitIdentity {
  const host = isLoopback(gitUrl) ? 'github.com' : new URL(gitUrl).hostname;
  return { name: login, email: `${accountId}+${login}@users.noreply.${host}` };
}

/** More issues than are driven at once. */
const HINTED_ISSUES = 5_000;
const GIT_DEADLINE_MS = 5 * 60_000;

/** Everything that only reads GitHub: no Redis, no sandbox, no model. */
export interface Connection extends Observer {
  readonly gitHost: GitHost;
  readonly tokens: TokenSource;
  readonly identity: Policy['identity'];
  readonly commitsBy: CommitIdentity;
  /** The name of this instance in leases. */
  readonly instance: string;
  readonly scanner: Scanner;
  /** This process's last read of an issue. */
  readonly lastRead: (ref: IssueRef) => LastRead | null;
}

interface ConnectParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<Policy> | undefined;
  /** Hints shared with other instances; without them this one counts GitHub's limits alone. */
  readonly hints?: HintStore;
}

/** Connects to a GitHub as its App; `mirrors` is a folder for what git fetches. */
export async function connect(
  config: GitHubConfig,
  mirrors: string,
  { clock, log, limits, hints = createMemoryHintStore(clock) }: ConnectParts,
): Promise<Connection> {
  const { apiUrl, app } = config;
  const secrets = redactorFor(config);
  const paths = hidePaths(await namesOf(dirname(mirrors)));
  const redact = (text: string): string => paths(secrets(text));
  const client = { apiUrl, appId: app.id, privateKey: app.privateKey, clock, log };
  const tokens = createAppTokens(client);
  const readYourWrites = new ReadYourWrites({ clock });
  const gitHubLimits = createRateLimits({ clock, log, hints });
  const api = { apiUrl, tokens, clock, log, limits: gitHubLimits };
  const named = await tokens.identity();
  const { login: _, ...identity } = named;
  const commitsBy = commitIdentity(named, config.gitUrl);
  const gitHost = createGitHost({
    folder: mirrors,
    remoteUrl: (repo) => `${config.gitUrl}/${formatRepo(repo)}.git`,
    token: async (repo) => (await tokens.tokenFor(repo)).text,
    identity: commitsBy,
    redact,
    clock,
    log,
    deadlineMs: GIT_DEADLINE_MS,
  });
  const configs = repoConfigs(gitHost);
  const isUnrelated = createRelations(gitHost);
  const instance = `${process.pid}-${randomUUID().slice(0, 8)}`;
  const signing = { keys: config.signingKeys, acceptUnsigned: false };
  const sealFormat = createStateSealFormat(signing);
  const { host } = new URL(apiUrl);
  const seals = stateSeals(sealFormat);
  const stored = createStateStore({ gitHost, signing, owner: instance, redact, clock, log });
  return {
    github: createGitHub({ ...api, identity, readYourWrites, redact }),
    scanner: createScanner({ ...api, appClient: createAppClient(client) }),
    lastRead: (ref) => readYourWrites.lastRead(ref),
    gitHost,
    states: withReadYourWrites(
      withRememberedStates(stored, { gitHost, hints, host, seals: sealFormat, log }),
      readYourWrites,
    ),
    clock,
    tokens,
    identity,
    commitsBy,
    instance,
    newId: randomUUID,
    testCommand: async (repo, base) => (await configs.at(repo, base)).test ?? null,
    protectedPatterns: async (repo, base) => (await configs.at(repo, base)).protected ?? [],
    policyFor: async (snapshot) => {
      const isDriven = stateOf(snapshot).run !== null;
      const config = isDriven ? await configs.at(snapshot.ref, snapshot.base.head) : {};
      const rules = {
        ...(config.checks === undefined ? {} : { expectedChecks: config.checks }),
        ...(config.base === undefined ? {} : { base: config.base }),
        ...(config.route === undefined ? {} : { route: config.route }),
        hasTests: config.test !== undefined,
        workflowsDiffer: await workflowsDiffer(gitHost, snapshot),
        workUnrelated: await isUnrelated(snapshot),
        ...(config.merge === undefined ? {} : { merge: config.merge }),
      };
      const hold = gitHubLimits.holdFor(snapshot.ref);
      const own = isDriven ? await configHolds(configs, snapshot) : [];
      const holds = [...own, ...(hold === null ? [] : [hold])];
      return { ...DEFAULT_LIMITS, budgets: DEFAULT_BUDGETS, ...limits, ...rules, identity, redact, seals, holds };
    },
    hints: createLru(HINTED_ISSUES),
  };
}

/** Whether a branch off this base would bring workflow files the default branch does not have. */
async function workflowsDiffer(gitHost: GitHost, { ref, base }: IssueSnapshot): Promise<boolean> {
  if (base.defaultHead === null) return false;
  return !(await gitHost.isSameAt(ref, '.github/workflows', [base.head, base.defaultHead]));
}

/** A folder's given name and its real path: programs print either. */
async function namesOf(folder: string): Promise<readonly string[]> {
  return [folder, await realpath(folder).catch(() => folder)];
}
