import { expect } from '@jest/globals';
import type { EngineHarness } from '../service/engine-harness.js';
import type { foreignApp } from '#pocket-github/test/foreign-app';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

/** Somebody who acts on an issue. */
export type IssueActor = Person | ReturnType<typeof foreignApp>;

/** Actions of people and bots on issues, one second apart. No webhook is delivered yet. */
export function issueActions(pocket: () => TestPocket) {
  const by = (who: IssueActor) => {
    const p = pocket();
    p.clock.advance(1_000);
    return typeof who === 'string' ? p.rest(who) : who;
  };
  const at = (number: number) => ({ ...pocket().at, issue_number: number });
  const comment = (who: IssueActor, number: number, body: string) =>
    by(who).rest.issues.createComment({ ...at(number), body });
  return {
    by,
    comment,
    edit: (who: IssueActor, number: number, more: { body?: string; title?: string; state?: 'open' | 'closed' }) =>
      by(who).rest.issues.update({ ...at(number), ...more }),
    unlabel: (who: IssueActor, number: number, name: string) =>
      by(who).rest.issues.removeLabel({ ...at(number), name }),
    label: async (who: IssueActor, number: number, name: string): Promise<void> => {
      const p = pocket();
      await p
        .rest('ada')
        .rest.issues.createLabel({ ...p.at, name })
        .catch(() => undefined);
      await by(who).rest.issues.addLabels({ ...at(number), labels: [name] });
    },
    /** A run that wren paused before anything was done. */
    openPausedRun: async (harness: EngineHarness): Promise<number> => {
      const number = await harness.open('mallory');
      await comment('wren', number, '/auto');
      await comment('wren', number, '/auto pause');
      await harness.settle();
      expect((await harness.state(number)).halt).toMatchObject({ state: 'paused' });
      return number;
    },
  };
}

export const expectNothingStarted = (harness: EngineHarness, number: number) =>
  expect(harness.state(number)).rejects.toThrow('none');
