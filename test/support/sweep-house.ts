import { createAppClient } from '../../src/adapters/github/app-client.js';
import { type AppTokenSource, createAppTokens } from '../../src/adapters/github/app-tokens.js';
import { createLimits } from '../../src/adapters/github/limits.js';
import { createSurvey } from '../../src/adapters/github/survey.js';
import { createMemoryHints } from '../../src/adapters/memory-hints.js';
import { formatIssue } from '../../src/domain/ids.js';
import type { Pocket } from '../../src/pocket/github/pocket.js';
import type { App } from '../../src/pocket/github/world/model.js';
import type { Clock } from '../../src/ports/clock.js';
import type { HintStore } from '../../src/ports/hint-store.js';
import type { Survey } from '../../src/ports/survey.js';
import { createSweep, type Sweep, type SweepParts } from '../../src/usecases/sweep/sweep.js';
import { RecordingLog } from './recording-log.js';

/** A sweep of a Pocket GitHub, and what it found. */
export interface SweepHouse {
  readonly survey: Survey;
  readonly tokens: AppTokenSource;
  readonly hints: HintStore;
  readonly sweep: Sweep;
  readonly log: RecordingLog;
  /** Issues it wanted looked at, since last asked. */
  readonly woken: () => readonly string[];
  /** Commands it told of, since last asked. */
  readonly heard: () => readonly string[];
}

/** A GitHub, the App that sweeps it, and its time. */
export interface Swept {
  readonly pocket: Pocket;
  readonly app: App;
  readonly clock: Clock;
}

export function openSweepHouse({ clock, app, pocket }: Swept, parts: Partial<SweepParts> = {}): SweepHouse {
  const log = new RecordingLog();
  const hints = parts.hints ?? createMemoryHints(clock);
  const client = { apiUrl: pocket.urls.api, appId: app.id, privateKey: app.privateKey, clock };
  const tokens = createAppTokens({ ...client, log });
  const limits = createLimits({ clock, log, hints });
  const asApp = createAppClient(client);
  const survey = createSurvey({ ...client, graphqlUrl: pocket.urls.graphql, tokens, asApp, limits, log });
  const woken: string[] = [];
  const heard: string[] = [];
  const sweep = createSweep({
    survey,
    hints,
    clock,
    log,
    instance: 'one',
    random: () => 0.5,
    wake: async (ref) => void woken.push(formatIssue(ref)),
    heard: async ({ ref, author, body }) => void heard.push(`${author.login} on ${formatIssue(ref)}: ${body}`),
    gaveUp: async () => undefined,
    lastLook: () => null,
    serves: () => true,
    hears: () => true,
    ...parts,
  });
  return {
    survey,
    tokens,
    hints,
    sweep,
    log,
    woken: () => woken.splice(0),
    heard: () => heard.splice(0),
  };
}
