import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import type { AgentOutcome, RunFigures } from '../../../src/domain/agent/outcome.js';
import type { WatchLimits } from '../../../src/domain/agent/supervision-limits.js';
import { type ModelRequest, structured, type Turn, write } from '#scripted-claude';
import type { AgentActivity, AgentJob } from '../../../src/ports/agent.js';
import { MODEL, SCHEMA } from '../../contract/suites/agent-contract.js';
import { openBubblewrap } from '../sandbox/bubblewrap.js';
import { openClaudeFixture, type ClaudeFixture, type ClaudeFixtureOptions } from './claude-fixture.js';
import { processesNaming } from '../sandbox/processes.js';
import { scratchClone } from './scratch-clone.js';

export const NONCE = 'n-5e1f';
/** The work of a good agent, which must survive whatever happens to it. */
export const WORK = 'made.txt';
export const DONE = structured({ nonce: NONCE, summary: 'done' });

/** An agent that does its work once and then gives its result, whatever happens in between. */
export const diligentAgent = ({ messages }: Pick<ModelRequest, 'messages'>): Turn =>
  messages.some(({ blocks }) => blocks.some((block) => block.type === 'tool-call')) ? DONE : write(WORK, 'made\n');

/** Limits for agents that hang; the others have the usual limits. */
export const SHORT_LIMITS: Partial<WatchLimits> = {
  idleMs: 700,
  toolIdleMs: 700,
  tickMs: 100,
  busyShare: 0.5,
  lingerMs: 500,
};

/** A way in which an agent, its model or its process misbehaves, and the expected outcome. */
export interface HostileCase extends Pick<ClaudeFixtureOptions, 'turns'>, Partial<Omit<ClaudeFixtureOptions, 'turns'>> {
  readonly job?: Partial<AgentJob>;
  readonly watch?: Partial<WatchLimits>;
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly figures?: Partial<Record<keyof RunFigures, unknown>>;
  /** Files of the checkout that have to be there afterwards. */
  readonly kept?: readonly string[];
  readonly check?: (seen: HostileRun) => void | Promise<void>;
}

export interface HostileRun {
  readonly outcome: AgentOutcome;
  readonly fixture: ClaudeFixture;
  readonly clone: string;
  readonly activity: readonly AgentActivity[];
}

/** The last resort. If this ends a run, the test fails. */
const CAP_MS = 110_000;

/** Runs each case with the real CLI: outcome, figures, time, kept work, and nothing left behind. */
export function describeHostileAgents(cases: Readonly<Record<string, HostileCase>>): void {
  test.each(Object.entries(cases))('%s', async (_, hostile) => {
    const fixture = await openClaudeFixture({
      clock: systemClock,
      openSandbox: openBubblewrap,
      graceMs: 500,
      ...hostile,
    });
    const clone = await scratchClone();
    const activity: AgentActivity[] = [];
    try {
      const outcome = await fixture.agent.run({
        phase: 'code',
        phaseRun: 'run-1',
        nonce: NONCE,
        prompt: `Do the work.\n\nNonce: ${NONCE}`,
        schema: SCHEMA,
        clone,
        model: MODEL,
        signal: new AbortController().signal,
        onActivity: (each) => activity.push(each),
        ...hostile.job,
        limits: {
          maxTurns: 30,
          budgetUsd: null,
          capMs: CAP_MS,
          watch: { lingerMs: 500, tickMs: 200, ...hostile.watch },
          ...hostile.job?.limits,
        },
      });
      expect(outcome).toMatchObject(hostile.outcome);
      expect(outcome.figures).toMatchObject(hostile.figures ?? {});
      expect(outcome.figures.ms).toBeLessThan(CAP_MS);
      for (const file of hostile.kept ?? []) {
        expect(await readFile(join(clone.path, file), 'utf8')).not.toBe('');
      }
      expect(processesNaming(clone.path)).toEqual([]);
      expect(processesNaming(fixture.folder)).toEqual([]);
      expect(await readdir(fixture.sockets)).toEqual([]);
      await hostile.check?.({ outcome, fixture, clone: clone.path, activity });
    } finally {
      await fixture.close();
      await clone.dispose();
    }
    expect([fixture.folder, dirname(clone.path)].filter((folder) => existsSync(folder))).toEqual([]);
  });
}
