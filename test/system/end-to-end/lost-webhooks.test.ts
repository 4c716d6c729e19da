import { describe, expect, test } from '@jest/globals';
import { openDemoHarness } from '../../support/service/demo-harness.js';

/* The whole machine with deaf ears: signed webhooks are sent to nobody, and the sweep finds everything for itself. */

const ISSUE_S = 1;

describe('the whole machine', () => {
  test('finishes an issue although every webhook is lost, and leaves no token behind that works', async () => {
    const harness = await openDemoHarness();
    const { pocket, service } = harness.world;
    pocket.faults.arm({ on: 'delivery', match: {}, occurrence: { always: true }, effect: { kind: 'drop' } });
    try {
      await harness.comment(ISSUE_S);
      await harness.until(async () => {
        await service.sweep.pass();
        return (await harness.facts(ISSUE_S)).labels.some((label) => label.startsWith('phase/'));
      });
      await harness.until(async () => (await harness.facts(ISSUE_S)).state === 'closed');
      expect(await harness.facts(ISSUE_S)).toMatchObject({
        labels: ['phase/done', 'size/S', 'triaged'],
        ours: { status: 1, triage: 1, spec: 1 },
      });
      expect(harness.world.defects()).toEqual([]);
    } finally {
      await harness.world.close();
    }
    const tokens = pocket.world.tables.tokens.all().filter(({ kind }) => kind === 'installation');
    expect(tokens.length).toBeGreaterThanOrEqual(2);
    expect(tokens.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });
});
