import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../../src/ports/agent.js';

/** Needs a second file, which it writes only after the first one landed. */
export function forgetfulAgent(usual: Agent): Agent {
  return {
    run: async (job) => {
      const work = join(job.clone.path, 'work.txt');
      const hasLanded = existsSync(work) && (await readFile(work, 'utf8')).includes('polished');
      const outcome = await usual.run(job);
      if (job.phase === 'code' && hasLanded) await writeFile(join(job.clone.path, 'second.txt'), 'yes\n');
      if (job.phase !== 'issue' || outcome.kind !== 'succeeded') return outcome;
      const result = outcome.result as { readonly criteria: readonly object[] };
      const second = { text: 'There is a second file', verify: 'file_exists second.txt', stage: 'post-merge' };
      return { ...outcome, result: { ...result, criteria: [...result.criteria, second] } };
    },
  };
}
