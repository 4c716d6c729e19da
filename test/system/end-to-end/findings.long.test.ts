import { expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import { openDemoHarness } from '../../support/service/demo-harness.js';

/* A fix is made from what the review found, and from nothing else: without the findings there is none. */

const M_ISSUE = 2;
const FINDINGS = /(<data-(\w+) name="fix">\n)[\s\S]*?(\n<\/data-\2>)/;

/** An agent whose prompts are spoilt on the way. */
const spoilt = (agent: Agent, spoil: (prompt: string) => string): Agent => ({
  run: (job) => agent.run({ ...job, prompt: spoil(job.prompt) }),
});

test.each<[string, (prompt: string) => string]>([
  ['dropped', (prompt) => prompt.replace(FINDINGS, '')],
  ['those of something else', (prompt) => prompt.replace(FINDINGS, '$1- README.md:1 could say more$3')],
])('with the findings %s, the work does not get through review', async (_, spoil) => {
  const harness = await openDemoHarness({ limits: { maxFailures: 1 } });
  const { engine } = harness.world.service;
  const spoiled: string[] = [];
  const noted = (prompt: string): string => {
    const after = spoil(prompt);
    if (after !== prompt) spoiled.push(after);
    return after;
  };
  Object.assign(engine, { agent: spoilt(engine.agent, noted) });
  try {
    await harness.drive(M_ISSUE);
    const facts = await harness.facts(M_ISSUE);
    expect(spoiled).toEqual([expect.stringContaining('This is a fix: review')]);
    expect(facts).toMatchObject({ state: 'open', pulls: [{ merged: false }] });
    expect(facts.labels).toEqual(expect.arrayContaining(['auto/failed', 'phase/code']));
  } finally {
    await harness.world.close();
  }
});
