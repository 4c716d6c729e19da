import { nowAndEvery } from '../../concurrency/every.js';
import { removeLeftoverSockets } from '../../adapters/model-gate/leftover-sockets.js';
import { removeNamelessClones } from '../../adapters/workspace/leftover-clones.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Sandbox } from '../../ports/sandbox.js';

/** How often to search for processes that outlived their service. */
const PROCESSES_MS = 60_000;
/** How often to search for abandoned folders and sockets. */
const FILES_MS = 60 * 60_000;

interface SweepParts {
  readonly sandbox: Sandbox;
  /** The folders of clones and of sockets. */
  readonly clones: string;
  readonly sockets: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends and removes what dead services left behind, now and repeatedly. The returned function stops it. */
export function startLeftoverSweep(parts: SweepParts): () => void {
  const { sandbox, clock, log } = parts;
  const repetitions = [
    nowAndEvery(clock, PROCESSES_MS, () => {
      const ended = sandbox.sweepLeftovers();
      if (ended > 0) log.warn({ processes: ended }, 'killed leftover processes');
    }),
    nowAndEvery(clock, FILES_MS, () => {
      void removeFiles(parts).then(
        (removed) => removed > 0 && log.warn({ removed }, 'removed leftover files'),
        (error: unknown) => log.warn({ error: String(error) }, 'leftover file search failed'),
      );
    }),
  ];
  return () => {
    for (const { stop } of repetitions) stop();
  };
}

/** Removes sockets without a listener and clones without an owner file. Returns how many. */
async function removeFiles({ sockets, clones, clock }: SweepParts): Promise<number> {
  return (await removeLeftoverSockets(sockets)) + (await removeNamelessClones(clones, clock.now()));
}
