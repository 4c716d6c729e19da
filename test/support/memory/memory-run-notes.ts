import type { RunNote, RunNotes } from '../../../src/ports/run-notes.js';

/** Notes that are lost with the instance: each instance of the crash generator has its own disk. */
export class MemoryRunNotes implements RunNotes {
  readonly #notes = new Map<string, RunNote & { readonly isLeft: boolean }>();

  async begin(run: Omit<RunNote, 'costUsd'>): Promise<void> {
    this.#notes.set(run.phaseRun, { ...run, costUsd: 0, isLeft: false });
  }

  async addCost(phaseRun: string, costUsd: number): Promise<void> {
    const note = this.#notes.get(phaseRun);
    if (note !== undefined) this.#notes.set(phaseRun, { ...note, costUsd: note.costUsd + costUsd });
  }

  async end(phaseRun: string, isCounted: boolean): Promise<void> {
    const note = this.#notes.get(phaseRun);
    if (isCounted) this.#notes.delete(phaseRun);
    else if (note !== undefined) this.#notes.set(phaseRun, { ...note, isLeft: true });
  }

  async leftovers(): Promise<readonly RunNote[]> {
    const left = [...this.#notes.values()].filter(({ isLeft }) => isLeft);
    return left.map(({ ref, phase, phaseRun, costUsd }) => ({ ref, phase, phaseRun, costUsd }));
  }
}
