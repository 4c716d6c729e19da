import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { agentAnswering } from '../../support/agent/answering-agent.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* C8–C11, seen from the issue: what becomes of a run whose agent took too much of the machine. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const WHY = 'It took 10,241 MB of disk; 10,240 are allowed (SLUICE_SANDBOX_DISK_MB).';

test('it stops at once with its work kept, names the limit, and goes on from the work when told to', async () => {
  const runs = { code: 0 };
  const agent = agentAnswering(
    () => p,
    'code',
    ({ clone }) => {
      runs.code += 1;
      writeFileSync(join(clone.path, 'half.txt'), 'half\n');
      return { kind: 'failed', cause: 'limits', why: WHY };
    },
    () => runs.code === 0,
  );
  const harness = await open({ agent, size: 'M' });
  await harness.open('ada');
  await harness.say('wren', 1, '/auto');
  await harness.finish();
  expect(await harness.labels(1)).toContain('auto/needs-human');
  const { halt, progress, counters } = await harness.state(1);
  expect({ code: halt?.code, because: halt?.because, failures: counters.failures }).toEqual({
    code: 'limits',
    because: WHY,
    failures: 0,
  });
  const branch = p.pocket.world.tables.refs.all().find(({ name }) => name === 'refs/heads/sluice/issue-1');
  expect(progress.wip).toBe(branch?.oid);
  expect((await harness.said(1)).join('\n')).toContain('10,240 are allowed');
  await harness.say('wren', 1, '/auto continue');
  await harness.finish();
  expect(await harness.labels(1)).toContain('phase/done');
  const { data } = await p.rest('ada').rest.repos.getContent({ ...p.at, path: 'half.txt' });
  expect(data).toMatchObject({ name: 'half.txt' });
});
