import type { AgentPhase } from '../domain/phase.js';
import type { Engine } from './engine.js';
import type { HeldLease } from './lease.js';

/** A lease with a note on this host about what the run costs, for as long as that is not in the state. */
export async function withNote({ notes }: Engine, phase: AgentPhase, lease: HeldLease): Promise<HeldLease> {
  const { phaseRun } = lease;
  const { owner, repo, number } = lease.snapshot().ref;
  const end = { isCounted: false };
  await notes.begin({ ref: { owner, repo, number }, phase, phaseRun });
  return {
    phaseRun,
    signal: lease.signal,
    ended: () => lease.ended(),
    snapshot: () => lease.snapshot(),
    conclude: async (change, options) => {
      const swapped = await lease.conclude(change, options);
      if (swapped.kind === 'swapped') {
        end.isCounted = true;
        await notes.end(phaseRun, true);
      }
      return swapped;
    },
    abandon: () => {
      lease.abandon();
      if (!end.isCounted) void notes.end(phaseRun, false);
    },
  };
}
