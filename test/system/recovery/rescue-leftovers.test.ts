import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createRunNotes } from '../../../src/adapters/workspace/run-notes.js';
import type { RunNotes } from '../../../src/ports/run-notes.js';
import { reconcile } from '../../../src/usecases/reconcile/reconcile.js';
import { rescueLeftovers } from '../../../src/usecases/maintenance/rescue-leftovers.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { QUIET } from '../../support/git/git-host.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import { killableEngine } from '../../support/service/killable-engine.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* What a service had spent when it died is counted by the next one on the same disk, once. */

let p: TestPocket;
const openHarness = engineHarnessEachTest((pocket) => {
  p = pocket;
});
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-notes-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NONE = { find: async () => [] };
const LEASE_IS_OVER_MS = 16 * 60_000;

const notesHere = (): RunNotes => createRunNotes({ folder, log: QUIET });
const withNotes = (notes: RunNotes) => (usual: EngineHarness['instance']['engine']) => ({ ...usual, runNotes: notes });

/** Everything in the folder belongs to a process that is no more. */
async function orphanNotes(): Promise<void> {
  for (const name of await readdir(folder)) {
    const note = JSON.parse(await readFile(join(folder, name), 'utf8')) as { by: object | null };
    if (note.by !== null)
      await writeFile(join(folder, name), JSON.stringify({ ...note, by: { ...note.by, startTime: '1' } }));
  }
}

test('what a run had cost when its service died is added to the issue once, however often it is looked for', async () => {
  const life = killableEngine();
  const held = agentHeldAt('code');
  const runNotes = notesHere();
  const first = await openHarness({ agent: held.agent, engine: (engine) => life.wrapEngine({ ...engine, runNotes }) });
  const number = await first.open('wren');
  first.say('wren', number, '/auto').catch(() => undefined);
  await held.reached;
  const ref = { ...p.at, number };
  const lease = (await first.state(number)).lease;
  await runNotes.addCost(lease?.phaseRun ?? '', 0.5);
  await runNotes.addCost(lease?.phaseRun ?? '', 0.25);
  life.kill();
  await orphanNotes();

  const second = await openHarness({ engine: withNotes(notesHere()) });
  const { engine } = second.instance;
  const spentBefore = (await second.state(number)).spentUsd;
  // Nobody has taken the issue over: whether the run ended is not known yet.
  await rescueLeftovers(engine, NONE);
  expect((await second.state(number)).spentUsd).toBe(spentBefore);
  p.clock.advance(LEASE_IS_OVER_MS);
  await reconcile(engine, ref);
  await second.instance.queue.idle();
  const noted = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  expect(noted).toHaveLength(1);
  const spentAfter = (await second.state(number)).spentUsd;
  const spentToday = async (): Promise<number> => (await engine.modelAccount.report()).today.service.usd;
  const dayBefore = await spentToday();
  await rescueLeftovers(engine, NONE);
  expect((await second.state(number)).spentUsd).toBeCloseTo(spentAfter + 0.75);
  // It died after counting and before the note was gone.
  await writeFile(join(folder, `${lease?.phaseRun}.json`), noted[0] ?? '');
  await rescueLeftovers(engine, NONE);
  await rescueLeftovers(engine, NONE);
  expect((await second.state(number)).spentUsd).toBeCloseTo(spentAfter + 0.75);
  expect(await spentToday()).toBeCloseTo(dayBefore + 0.75);
  expect(await readdir(folder)).toEqual([]);
});

test('a run that ends in good order leaves no note behind', async () => {
  const harness = await openHarness({ engine: withNotes(notesHere()) });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect(await harness.labels(number)).toContain('phase/done');
  expect(await readdir(folder)).toEqual([]);
});
