import type { AgentPhase } from '../../domain/issue/phase.js';
import type { Engine } from '../engine.js';
import type { HeldLease } from './lease.js';

/** A lease that keeps a note of the run's cost on this host until the cost is in the state. */
export async function withCostNote({ runNotes }: Engine, phase: AgentPhase, lease: HeldLease): Promise<HeldLease> {
  const { phaseRun } = lease;
  const { owner, repo, number } = lease.snapshot().ref;
  const end = { isCounted: false };
  await runNotes.begin({ ref: { owner, repo, number }, phase, phaseRun });
  return {
    phaseRun,
    signal: lease.signal,
    endReason: () => lease.endReason(),
    snapshot: () => lease.snapshot(),
    conclude: async (change, options) => {
      const swapped = await lease.conclude(change, options);
      if (swapped.kind === 'swapped') {
        end.isCounted = true;
        await runNotes.end(phaseRun, true);
      }
      return swapped;
    },
    abandon: () => {
      lease.abandon();
      if (!end.isCounted) void runNotes.end(phaseRun, false);
    },
  };
}
