import { expect } from '@jest/globals';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from '../../../src/domain/limits/sandbox-limits.js';
import { bash, write } from '#scripted-claude';
import { DONE, describeHostileAgents, WORK } from '../../support/agent/describe-hostile-agents.js';
import { processesNaming } from '../../support/sandbox/processes.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

/* C8–C11 by the real CLI: the run ends at once, and says which limit; what was done stays. */

const held =
  (resources: Partial<SandboxLimits>) =>
  (limits: ProcessLimits, tools: readonly string[] = []) =>
    openBubblewrap({ ...limits, resources: { ...DEFAULT_SANDBOX_LIMITS, ...resources } }, tools);

const made = write(WORK, 'made\n');
/** A number of seconds that nobody else sleeps. */
const MARK = `83${process.pid}`;
const outcome = (why: string) => ({ kind: 'failed', cause: 'limits', why: expect.stringContaining(why) });
const figures = { steps: 1, resumes: 0 };

describeHostileAgents({
  'an agent that starts processes without end': {
    openSandbox: held({ processes: 60 }),
    turns: [made, bash(`for i in $(seq 200); do sleep ${MARK} & done; wait`), DONE],
    outcome: outcome('60 are allowed (SLUICE_SANDBOX_PROCESSES)'),
    figures,
    kept: [WORK],
    check: () => expect(processesNaming(`sleep ${MARK}`)).toEqual([]),
  },
  'an agent that fills its clone': {
    openSandbox: held({ diskMb: 200 }),
    turns: [made, bash(`for i in $(seq 300); do head -c 1M /dev/zero > junk-$i; done; sleep ${MARK}`), DONE],
    outcome: outcome('200 are allowed (SLUICE_SANDBOX_DISK_MB)'),
    figures,
    kept: [WORK],
  },
  'an agent that fills its home': {
    openSandbox: held({ files: 2000 }),
    turns: [made, bash(`mkdir ~/many; touch ~/many/{1..4000}; sleep ${MARK}`), DONE],
    outcome: outcome('2,000 are allowed (SLUICE_SANDBOX_FILES)'),
    figures,
    kept: [WORK],
  },
});
