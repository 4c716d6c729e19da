import { expect, test } from '@jest/globals';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { Agent } from '../../../src/ports/agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* A verify comment nobody can read is an error with an explanation, never "somebody will judge it". */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const BROKEN = '- [ ] It works <!-- verify: comand "npm test" -->';
const MENDED = '- [ ] It works <!-- verify: command "true" -->';

const counting =
  (phases: string[]) =>
  (usual: Agent): Agent => ({
    run: (job) => {
      phases.push(job.phase);
      return usual.run(job);
    },
  });

test('a person is told what is wrong and how to write it, before any agent runs; corrected, it goes on', async () => {
  const phases: string[] = [];
  const harness = await atWork({ agent: counting(phases) });
  const number = await harness.open('wren', BROKEN);
  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect((await harness.state(number)).halt).toMatchObject({ state: 'needs-human', code: 'verify-malformed' });
  expect(phases).toEqual([]);
  const report = (await harness.said(number)).join('\n');
  expect(report).toContain('`comand` is none of the four commands');
  expect(report).toContain('`command "npm test"`');
  await p.rest('wren').rest.issues.update({ ...p.at, issue_number: number, body: MENDED });
  await harness.say('wren', number, '/auto');
  await harness.finish();
  const { progress } = await harness.state(number);
  expect(progress.triage?.criteria[0]).toMatchObject({ verify: { kind: 'command', run: 'true' } });
  expect(progress.done).not.toBeNull();
});

test('so it is where a permitted person says by label that the issue is ready as it stands', async () => {
  const harness = await atWork();
  const number = await harness.open('wren', BROKEN);
  await p.rest('wren').rest.issues.addLabels({ ...p.at, issue_number: number, labels: ['phase/ready'] });
  await harness.settle();
  await harness.finish();
  expect((await harness.state(number)).halt).toMatchObject({ state: 'needs-human', code: 'verify-malformed' });
});
