import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { NO_FIGURES } from '../../../src/domain/agent/outcome.js';
import type { Agent } from '../../../src/ports/agent.js';
import { openDemoHarness } from '../../support/service/demo-harness.js';

const XS_ISSUE = 3;

test('a service that is told to end with an agent at work leaves the work and the lease for the next one', async () => {
  const harness = await openDemoHarness();
  const { person, at, world } = harness;
  const { engine } = world.service;
  const working = { reached: false };
  /** Writes half of it, then works on until it is told to end. */
  const halfway = (usual: Agent): Agent => ({
    run: async (job) => {
      if (job.phase !== 'code') return usual.run(job);
      await writeFile(join(job.clone.path, 'half.txt'), 'half\n');
      working.reached = true;
      await new Promise<void>((resolve) => job.signal.addEventListener('abort', () => resolve(), { once: true }));
      return { kind: 'stopped', handoff: null, figures: NO_FIGURES };
    },
  });
  const filesAt = async (ref: string) => {
    const { data } = await person.rest.git.getRef({ ...at, ref });
    return (await person.rest.git.getTree({ ...at, tree_sha: data.object.sha })).data.tree;
  };
  Object.assign(engine, { agent: halfway(engine.agent) });
  try {
    await harness.comment(XS_ISSUE);
    await harness.until(async () => working.reached);
    await world.service.close();
    const work = await filesAt(`heads/sluice/issue-${XS_ISSUE}`);
    expect(work.map(({ path }) => path)).toContain('half.txt');
    const [state] = await filesAt(`sluice/issue-${XS_ISSUE}`);
    const { data: blob } = await person.rest.git.getBlob({ ...at, file_sha: state?.sha ?? '' });
    expect(Buffer.from(blob.content, 'base64').toString('utf8')).toMatch(/"lease":\s*null/);
  } finally {
    await world.close();
  }
});
