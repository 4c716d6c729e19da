import { expect, test } from '@jest/globals';
import type { AgentJob } from '../../../src/ports/agent.js';
import { agentAnswering, recordingJobs } from '../../support/agent/answering-agent.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

/* Criteria neither a command nor a model could judge: a person does, in one of the ways they are told of. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const BODY =
  'Write it down.\n\n- [ ] The work is done <!-- verify: file_contains work.txt done -->\n- [ ] It looks right\n';
const TICKED = BODY.replace('- [ ] It looks', '- [x] It looks');
const DONE = ['phase/done', 'size/XS', 'triaged'];

interface Scene {
  readonly harness: EngineHarness;
  readonly issue: number;
  readonly told: readonly AgentJob[];
  phases(): readonly string[];
}

/** Landed, and one criterion waits for a person. */
async function openCriterion(): Promise<Scene> {
  const told: AgentJob[] = [];
  const results = [{ id: 'c2', verdict: 'UNCERTAIN', evidence: 'work.txt:1 has no looks' }];
  const harness = await open({
    agent: recordingJobs(
      told,
      agentAnswering(() => p, 'verify', { results }),
    ),
  });
  const issue = await harness.open('wren', BODY);
  await harness.say('wren', issue, '/auto');
  await harness.finish();
  expect(await harness.labels(issue)).toEqual(['auto/needs-human', 'phase/verify', 'size/XS', 'triaged']);
  return { harness, issue, told, phases: () => told.map(({ phase }) => phase) };
}

async function edit({ harness, issue }: Scene, who: Person, body: string): Promise<void> {
  p.clock.advance(1_000);
  await p.rest(who).rest.issues.update({ ...p.at, issue_number: issue, body });
  await harness.finish();
}

async function say({ harness, issue }: Scene, text: string): Promise<void> {
  await harness.say('wren', issue, text);
  await harness.finish();
}

const isClosed = async (number: number): Promise<boolean> =>
  (await p.rest('ada').rest.issues.get({ ...p.at, issue_number: number })).data.state === 'closed';

test('/auto continue says that they hold: it is done, and everybody sees by whose word', async () => {
  const scene = await openCriterion();
  const before = scene.told.length;
  await say(scene, '/auto continue');
  expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  expect(await isClosed(scene.issue)).toBe(true);
  expect(scene.told).toHaveLength(before);
  const said = await scene.harness.said(scene.issue);
  expect(said.filter((body) => body.includes('wren checked c2 and says it holds.'))).toHaveLength(2);
});

test('ticking its box does the same, and is no edit of the text', async () => {
  const scene = await openCriterion();
  const before = scene.told.length;
  await edit(scene, 'wren', TICKED);
  expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  expect(scene.told).toHaveLength(before);
  expect((await scene.harness.said(scene.issue)).join('\n')).toContain('wren checked c2 and says it holds.');
});

test('ticked by somebody without write permission, it still waits', async () => {
  const scene = await openCriterion();
  await edit(scene, 'tess', TICKED);
  expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'criteria-manual' });
  expect(await isClosed(scene.issue)).toBe(false);
});

test('/auto continue with a text does not finish it: the text goes back to code', async () => {
  const scene = await openCriterion();
  const before = scene.told.length;
  await say(scene, '/auto continue The colours are wrong.');
  const code = scene.told.slice(before).find(({ phase }) => phase === 'code');
  expect(code?.prompt).toContain('wren looked and says: The colours are wrong.');
  expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'criteria-manual' });
});

test('/auto has them judged once more, and writes no code again', async () => {
  const scene = await openCriterion();
  const before = scene.told.length;
  await edit(scene, 'tess', TICKED);
  await say(scene, '/auto');
  expect(scene.phases().slice(before)).toEqual(['verify']);
});

test('a box ticked while it is worked on changes nothing of what was asked for', async () => {
  const harness = await open({ size: 'XS' });
  const issue = await harness.open('wren', BODY);
  await harness.say('wren', issue, '/auto --stop-at issue');
  await harness.finish();
  const asked = (await harness.state(issue)).progress.triage;
  p.clock.advance(1_000);
  await p.rest('wren').rest.issues.update({ ...p.at, issue_number: issue, body: TICKED });
  await harness.say('wren', issue, '/auto --stop-at spec');
  await harness.finish();
  const { progress, transitions } = await harness.state(issue);
  expect(progress.triage).toEqual(asked);
  expect(transitions.filter(({ phase, ms }) => phase === 'issue' && ms !== undefined)).toHaveLength(1);
});
