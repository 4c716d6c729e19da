import { expect, test } from '@jest/globals';
import type { AgentJob } from '../../../src/ports/agent.js';
import { agentAnswering, recordingJobs, triageResult } from '../../support/agent/answering-agent.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

/* Runs that wait for a person to say something: what they say is heard, and nothing runs before. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const DONE = ['phase/done', 'size/XS', 'triaged'];

/** Asks before it triages, until it has been told. */
const asking = agentAnswering(
  () => p,
  'issue',
  triageResult({ questions: ['Which colour is wanted?'] }),
  ({ prompt }) => !prompt.includes('Green'),
);

test('a question of triage is answered by /auto continue, and the answer is in the next prompt', async () => {
  const told: AgentJob[] = [];
  const harness = await open({ agent: recordingJobs(told, asking) });
  const issue = await harness.open('mallory');
  await harness.say('wren', issue, '/auto');
  await harness.finish();
  expect((await harness.state(issue)).halt).toMatchObject({ state: 'needs-human', code: 'questions-open' });
  const said = (await harness.said(issue)).join('\n');
  expect(said).toContain('Which colour is wanted?');
  expect(said).toContain('Answer with `/auto continue ANSWER`');
  await harness.say('wren', issue, '/auto continue Green, as in the logo.');
  await harness.finish();
  expect(told.map(({ phase }) => phase).slice(0, 2)).toEqual(['issue', 'issue']);
  expect(told.at(1)?.prompt).toContain('Green, as in the logo.');
  expect(await harness.labels(issue)).toEqual(DONE);
});

test.each<Person>(['wren', 'tess'])('a done issue that %s reopens waits for /auto', async (who) => {
  const told: AgentJob[] = [];
  const harness = await open({ agent: recordingJobs(told) });
  const issue = await harness.open('wren');
  await harness.say('wren', issue, '/auto');
  await harness.finish();
  expect(await harness.labels(issue)).toEqual(DONE);
  const before = told.length;
  p.clock.advance(1_000);
  await p.rest(who).rest.issues.update({ ...p.at, issue_number: issue, state: 'open' });
  await harness.finish();
  expect(told).toHaveLength(before);
  expect(await harness.labels(issue)).toContain('auto/needs-human');
  expect((await harness.state(issue)).halt).toMatchObject({ code: 'reopened' });
  const status = (await harness.said(issue)).find((body) => body.includes('sluice:status')) ?? '';
  expect(status).toContain(`${who} reopened it`);
  expect(status).toContain('That alone starts nothing.');
  await harness.say('wren', issue, '/auto continue The second line is missing.');
  await harness.finish();
  expect(told.slice(before).map(({ phase }) => phase)).toEqual(expect.arrayContaining(['issue', 'code']));
  expect(told.at(before)?.prompt).toContain('The second line is missing.');
  expect(await harness.labels(issue)).toEqual(DONE);
});
