import { describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { DEFAULT_LIMITS } from '../../../src/domain/limits/policy.js';
import type { Agent } from '../../../src/ports/agent.js';
import { pushTo } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull } from '../../support/github/reviewed-pull-fixture.js';
import { openRealGitHarness } from '../../support/service/real-git-harness.js';

/* Whoever makes a commit chooses its dates. How long checks are waited for must not be theirs to choose. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const DATES = [
  ['years ahead', '2099-01-01T00:00:00Z'],
  ['years ago', '2001-01-01T00:00:00Z'],
] as const;

const WORK = 'sluice/issue-1';

interface Seen {
  readonly phase: string;
  readonly from: number;
  readonly to: number;
}

/** An agent that commits its work itself, with a date of its choice, and when its runs began and ended. */
function dating(date: string, seen: Seen[]): (usual: Agent) => Agent {
  return (usual) => ({
    run: async (job) => {
      const from = p.clock.now();
      const outcome = await usual.run(job);
      if (job.phase === 'code')
        await execa(
          'git',
          ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '--amend', '--no-edit'],
          {
            cwd: job.clone.path,
            env: { GIT_COMMITTER_DATE: date },
          },
        );
      seen.push({ phase: job.phase, from, to: p.clock.now() });
      return outcome;
    },
  });
}

describe.each(DATES)('a commit dated %s', (_, date) => {
  test('by an agent: checks are waited for as long as for any other, in every round', async () => {
    const seen: Seen[] = [];
    const scene = await openReviewedPull(p, (options) => openRealGitHarness(p, options), {
      command: '/auto',
      agent: dating(date, seen),
    });
    expect(await scene.isMerged()).toBe(true);
    const works = seen.filter(({ phase }) => phase === 'code' || phase === 'review');
    expect(works.map(({ phase }) => phase)).toEqual(['code', 'review', 'code', 'review']);
    const [first, review, second, again] = works.map(({ from, to }) => ({ from, to }));
    for (const [code, next] of [
      [first, review],
      [second, again],
    ]) {
      const waited = (next?.from ?? 0) - (code?.to ?? 0);
      expect(waited).toBeGreaterThanOrEqual(DEFAULT_LIMITS.checksDwellMs);
      expect(waited).toBeLessThan(10 * 60_000);
    }
  });

  test('by somebody who pushed to the branch: the same', async () => {
    const seen: Seen[] = [];
    const scene = await openReviewedPull(p, (options) => openRealGitHarness(p, options), {
      agent: dating(new Date(p.clock.now()).toISOString(), seen),
    });
    p.clock.advance(60 * 60_000);
    const files = { 'theirs.txt': 'theirs\n' };
    await pushTo(p, WORK, { files, dated: Date.parse(date) });
    const pushedAt = p.clock.now();
    await scene.harness.say('wren', scene.issue, '/auto');
    await scene.harness.finish();
    expect(await scene.isMerged()).toBe(true);
    const waited = (seen.find(({ phase, from }) => phase === 'review' && from > pushedAt)?.from ?? 0) - pushedAt;
    expect(waited).toBeGreaterThanOrEqual(DEFAULT_LIMITS.checksDwellMs);
    expect(waited).toBeLessThan(10 * 60_000);
  });
});
