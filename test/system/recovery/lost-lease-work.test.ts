import { afterEach, describe, expect, test } from '@jest/globals';
import { LEASE_MS } from '../../../src/domain/state/lease-owner.js';
import { GitHostError, type PushResult, type RefPush } from '../../../src/ports/git-host.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { withTime } from '../../support/github/pass-time.js';
import { afterCodeRun, CodeRunCounter, interceptPushes, filesOnBranch } from '../../support/github/interleaving.js';
import { takeOver } from '../../support/service/taken-over.js';

/* A run ends, and another instance has its issue by then: what its agent wrote is kept for the next run. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
afterEach(() => p.pocket.faults.clear());

const KEPT_HERE = 'work refused by GitHub: kept on this host';
const isApart = ({ ref }: RefPush): boolean => ref.startsWith('refs/sluice/wip/1/');
const kept = () => p.pocket.world.tables.refs.all().filter(({ name }) => name.startsWith('refs/sluice/wip/1/'));

/** An XS issue that is taken over when its code is written; pushes of work that is kept apart go through `push`. */
async function losing(push?: (usual: () => Promise<PushResult>) => Promise<PushResult>) {
  const place: { desk: EngineHarness | null } = { desk: null };
  const paid = new CodeRunCounter();
  const desk = await open({
    size: 'XS',
    agent: paid.counting(
      afterCodeRun(1, async () => place.desk !== null && takeOver(place.desk, { ...p.at, number: 1 })),
    ),
    gitHost: (usual) =>
      interceptPushes(usual, (refs, send) => (push !== undefined && refs.some(isApart) ? push(send) : send())),
  });
  place.desk = desk;
  await desk.open('wren');
  await withTime(p, desk.say('wren', 1, '/auto'), 5_000);
  return { desk, paid };
}

describe('work of a run that lost its lease', () => {
  test('is on the ref of its run when GitHub answers again, and the next run goes on from it', async () => {
    const left = { silent: 4 };
    const { desk, paid } = await losing(async (send) => {
      left.silent -= 1;
      if (left.silent >= 0) throw new GitHostError('no answer', 'transient');
      return send();
    });
    expect(kept()).toHaveLength(1);
    expect(desk.log.said('work not kept apart yet')).toHaveLength(4);
    p.clock.advance(LEASE_MS);
    await desk.finish();
    expect(await desk.labels(1)).toContain('phase/done');
    expect(paid.count).toBe(2);
    // The second run polishes what the first has written.
    expect(await filesOnBranch(p, 'main', ['work.txt'])).toEqual({ 'work.txt': 'done and polished\n' });
  });

  test('stays on this host when GitHub refuses it for good', async () => {
    const { desk } = await losing(async () => ({ kind: 'refused', ref: 'x', why: 'No.', isPassing: false }));
    expect(kept()).toEqual([]);
    expect(desk.log.said(KEPT_HERE)).toHaveLength(1);
  });
});
