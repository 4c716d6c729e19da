import { Bubblewrap } from '../../../src/adapters/sandbox/bubblewrap.js';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';

/** Bubblewrap as this machine has it. */
export function openBubblewrap(limits: ProcessLimits, tools: readonly string[] = []): Bubblewrap {
  return new Bubblewrap({ ...limits, program: 'bwrap', tools });
}
