import { type AppTokenSource, createAppTokens } from '../../../src/adapters/github/auth/app-tokens.js';
import { createGitHub, type GitHubOptions } from '../../../src/adapters/github/github.js';
import { createRateLimits } from '../../../src/adapters/github/client/rate-limits.js';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { createPersonalToken } from './personal-token.js';
import type { Identity, TokenSource } from '../../../src/adapters/github/auth/token-source.js';
import type { IssueSnapshot } from '../../../src/domain/state/snapshot.js';
import { seedPersonalToken } from '#pocket-github/testing';
import type { Clock } from '../../../src/ports/clock.js';
import type { GitHub, RawSnapshot, SnapshotHints } from '../../../src/ports/github.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

export const NO_HINTS: SnapshotHints = { base: null, landed: null, pull: null };
export const QUIET_LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** The App's tokens, as the service would make them. */
export function appTokens(p: TestPocket, clock: Clock = p.clock): AppTokenSource {
  const { id: appId, privateKey } = p.app;
  return createAppTokens({ apiUrl: p.pocket.urls.api, appId, privateKey, clock, log: QUIET_LOG });
}

/** A person's token with these scopes. */
export function personalToken(p: TestPocket, person: Person, scopes?: readonly string[]): TokenSource {
  const { text: token } = seedPersonalToken(p.pocket.world, p.users[person], scopes);
  return createPersonalToken({ apiUrl: p.pocket.urls.api, token, clock: p.clock, log: QUIET_LOG });
}

/** The service's own GitHub, talking to a Pocket. */
export function githubFor(
  p: TestPocket,
  tokens: TokenSource = appTokens(p),
  identity: Identity = appIdentity(p),
  clock: Clock = p.clock,
): GitHub {
  const { api: apiUrl } = p.pocket.urls;
  return createTestGitHub({ apiUrl, tokens, identity, clock, log: QUIET_LOG });
}

/** The service's GitHub with rate limits of its own. */
export function createTestGitHub(options: Omit<GitHubOptions, 'limits'>): GitHub {
  const { clock, log } = options;
  return createGitHub({ ...options, limits: createRateLimits({ clock, log, hints: createMemoryHintStore(clock) }) });
}

export const appIdentity = (p: TestPocket): Identity => ({ accountId: p.app.botId, appId: p.app.id });

/** A snapshot as the use cases hold it, for an issue without a state. */
export function snapshotWithoutState({ rawState: _unread, pulls, ...facts }: RawSnapshot): IssueSnapshot {
  return { ...facts, reading: { kind: 'none' }, pull: pulls[0] ?? null };
}

/** The API requests of a task by operation, without token requests. */
export async function requestsOf<T>(
  p: TestPocket,
  task: () => Promise<T>,
): Promise<{ result: T; operations: string[]; points: number }> {
  const before = p.pocket.journal.lastSeq();
  const result = await task();
  const requests = p.pocket.journal
    .requests(before)
    .filter(({ surface, tokenKind }) => surface !== 'git' && tokenKind !== 'app');
  const points = requests.reduce((sum, request) => sum + (request.surface === 'graphql' ? request.points : 0), 0);
  return { result, operations: requests.map(({ operation }) => operation), points };
}
