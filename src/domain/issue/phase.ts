/** The phases of an issue, in order. */
export const PHASES = ['issue', 'spec', 'ready', 'code', 'review', 'merge', 'verify', 'done'] as const;
export type Phase = (typeof PHASES)[number];

/** Phases in which an agent works. Merging needs none; a conflict goes back to `code`. */
export const AGENT_PHASES = ['issue', 'spec', 'code', 'review', 'verify'] as const;
export type AgentPhase = (typeof AGENT_PHASES)[number];

export function isPhase(text: string): text is Phase {
  return (PHASES as readonly string[]).includes(text);
}

/** Whether a phase comes after another. */
export function isBeyond(phase: Phase, other: Phase): boolean {
  return PHASES.indexOf(phase) > PHASES.indexOf(other);
}
