import { isPhase, type Phase } from './phase.js';
import { parseSize, type Size } from './size.js';

/** Whether Sluice drives an issue, as its `auto/*` label says. */
export const RUN_STATES = ['running', 'paused', 'needs-human', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

export interface LabelDefinition {
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export const phaseLabel = (phase: Phase): string => `phase/${phase}`;
export const runLabel = (state: RunState): string => `auto/${state}`;
export const sizeLabel = (size: Size): string => `size/${size}`;
export const TRIAGED = 'triaged';

const PHASE_TEXT: Readonly<Record<Phase, string>> = {
  issue: 'Being sized, acceptance criteria being written',
  spec: 'Being specified',
  ready: 'Specified; implementation may start',
  code: 'Being implemented',
  review: 'Pull request being checked and reviewed',
  merge: 'Reviewed; about to be merged',
  verify: 'Landed; acceptance criteria being checked on the merged commit',
  done: 'Landed and verified',
};

const RUN_TEXT: Readonly<Record<RunState, string>> = {
  running: 'Sluice is driving this issue; remove to stop it',
  paused: 'Sluice has paused here',
  'needs-human': 'Sluice needs a decision from a person',
  failed: 'Sluice gave up here; its last comment says why',
};

/** Every label Sluice uses. Missing ones are created; existing ones are never recoloured. */
export const LABELS: readonly LabelDefinition[] = [
  ...(Object.entries(PHASE_TEXT) as [Phase, string][]).map(([phase, description]) => ({
    name: phaseLabel(phase),
    color: '1b4f8a',
    description,
  })),
  ...(Object.entries(RUN_TEXT) as [RunState, string][]).map(([state, description]) => ({
    name: runLabel(state),
    color: '5319e7',
    description,
  })),
  ...(['XS', 'S', 'M', 'L', 'XL'] as const).map((size) => ({
    name: sizeLabel(size),
    color: 'bfd4f2',
    description: `Size ${size}`,
  })),
  { name: TRIAGED, color: '0e8a16', description: 'Sized, with acceptance criteria' },
];

/** Labels are compared the way GitHub does: without case and surrounding space. */
const normalise = (name: string): string => name.trim().toLowerCase();

/** The phases named by labels. More than one is a mistake; none means that nobody started the issue. */
export function phasesIn(labels: readonly string[]): readonly Phase[] {
  return labels.flatMap((label) => {
    const [, phase] = /^phase\/(.+)$/.exec(normalise(label)) ?? [];
    return phase !== undefined && isPhase(phase) ? [phase] : [];
  });
}

export function runStatesIn(labels: readonly string[]): readonly RunState[] {
  return RUN_STATES.filter((state) => labels.some((label) => normalise(label) === runLabel(state)));
}

export function sizeIn(labels: readonly string[]): Size | null {
  for (const label of labels) {
    const size = /^size\//i.test(label.trim()) ? parseSize(label.trim().slice('size/'.length)) : null;
    if (size !== null) return size;
  }
  return null;
}

/** What the labels of an issue should be. */
export interface WantedLabels {
  readonly phase: Phase;
  readonly run: RunState | null;
  /** `null` leaves size labels alone. */
  readonly size: Size | null;
  readonly triaged: boolean;
}

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * The smallest change that makes the labels right: exactly one phase, at most one run state and one size.
 * A label that stays is neither removed nor added again: doing both in one request has been seen to end in removal.
 */
export function labelChange(current: readonly string[], wanted: WantedLabels): LabelChange {
  const target = [
    phaseLabel(wanted.phase),
    ...(wanted.run === null ? [] : [runLabel(wanted.run)]),
    ...(wanted.size === null ? [] : [sizeLabel(wanted.size)]),
    ...(wanted.triaged ? [TRIAGED] : []),
  ];
  const keep = new Set(target.map(normalise));
  const present = new Set(current.map(normalise));
  const ours = (label: string): boolean =>
    /^(phase|auto)\//.test(normalise(label))
      ? LABELS.some((known) => normalise(known.name) === normalise(label))
      : wanted.size !== null && normalise(label).startsWith('size/');
  return {
    add: target.filter((label) => !present.has(normalise(label))),
    remove: current.filter((label) => ours(label) && !keep.has(normalise(label))),
  };
}
