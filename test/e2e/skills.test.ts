import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openMachine } from '../support/demo-world.js';
import { ROOT } from '../repo/sources.js';

/* The scripted model answers from its prompt alone, so the product's own words have to be in it. */

const M_ISSUE = 2;

describe('without the words of its skill', () => {
  test.each(['issue', 'spec', 'code', 'review', 'verify'])('%s gets nowhere', async (skill) => {
    const product = await mkdtemp(join(tmpdir(), 'blank-skill-'));
    for (const part of ['.claude-plugin', 'skills'])
      await cp(join(ROOT, part), join(product, part), { recursive: true });
    await writeFile(join(product, 'skills', skill, 'SKILL.md'), `---\nname: ${skill}\ndescription: ${skill}\n---\n`);
    const machine = await openMachine({ product, limits: { maxFailures: 1 } });
    try {
      await machine.drive(M_ISSUE);
      const facts = await machine.facts(M_ISSUE);
      expect(facts.state).toBe('open');
      expect(facts.labels).toEqual(expect.arrayContaining(['auto/failed', `phase/${skill}`]));
    } finally {
      await machine.world.close();
      await rm(product, { recursive: true });
    }
  });
});
