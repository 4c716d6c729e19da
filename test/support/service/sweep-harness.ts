import { createAppClient } from '../../../src/adapters/github/auth/app-client.js';
import { type AppTokenSource, createAppTokens } from '../../../src/adapters/github/auth/app-tokens.js';
import { createRateLimits } from '../../../src/adapters/github/client/rate-limits.js';
import { createScanner } from '../../../src/adapters/github/sweep/scanner.js';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { formatIssue } from '../../../src/domain/issue/ids.js';
import type { Pocket } from '#pocket-github';
import type { App } from '#pocket-github/testing';
import type { Clock } from '../../../src/ports/clock.js';
import type { HintStore } from '../../../src/ports/hint-store.js';
import type { Scanner } from '../../../src/ports/scanner.js';
import { createSweep, type Sweep, type SweepParts } from '../../../src/usecases/sweep/sweep.js';
import { RecordingLog } from '../recording-log.js';

/** A sweep of a Pocket GitHub, and what it found. */
export interface SweepHarness {
  readonly scanner: Scanner;
  readonly tokens: AppTokenSource;
  readonly hints: HintStore;
  readonly sweep: Sweep;
  readonly log: RecordingLog;
  /** Issues it woke, since the last call. */
  readonly woken: () => readonly string[];
  /** Commands it delivered, since the last call. */
  readonly missedCommands: () => readonly string[];
}

/** A GitHub, the App that sweeps it, and its clock. */
export interface SweptGitHub {
  readonly pocket: Pocket;
  readonly app: App;
  readonly clock: Clock;
}

export function openSweepHarness({ clock, app, pocket }: SweptGitHub, parts: Partial<SweepParts> = {}): SweepHarness {
  const log = new RecordingLog();
  const hints = parts.hints ?? createMemoryHintStore(clock);
  const client = { apiUrl: pocket.urls.api, appId: app.id, privateKey: app.privateKey, clock, log };
  const tokens = createAppTokens(client);
  const limits = createRateLimits({ clock, log, hints });
  const appClient = createAppClient(client);
  const scanner = createScanner({ ...client, tokens, appClient, limits });
  const woken: string[] = [];
  const missedCommands: string[] = [];
  const sweep = createSweep({
    scanner,
    hints,
    clock,
    log,
    instance: 'one',
    random: () => 0.5,
    wake: async (ref) => void woken.push(formatIssue(ref)),
    handleCommand: async ({ ref, author, body }) =>
      void missedCommands.push(`${author.login} on ${formatIssue(ref)}: ${body}`),
    giveUp: async () => undefined,
    lastRead: () => null,
    serves: () => true,
    handlesEvent: () => true,
    ...parts,
  });
  return {
    scanner: scanner,
    tokens,
    hints,
    sweep,
    log,
    woken: () => woken.splice(0),
    missedCommands: () => missedCommands.splice(0),
  };
}
