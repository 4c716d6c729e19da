import { savedWorkRef } from '../../../domain/issue/ids.js';
import type { HeldWork } from '../../../domain/state/kept-work.js';
import { heldWorkText, refusedWorkText } from '../../../domain/render/phrases/held-work.js';
import type { OffLimitsError } from '../../../ports/workspace.js';
import type { Obstacle, PhaseResult } from '../phase-result.js';
import { judgeCode } from './judge-code.js';
import { resultOfJudgement } from '../agent-result.js';
import type { PhaseRun } from '../phase-run.js';

/** At most this many paths go into the state. */
const MOST_PATHS = 20;
const LONGEST_PATH = 200;

/**
 * The result for work that changes files only people may change. It goes to a ref that no CI reads, where people can see it, and to a
 * branch only after one of them approved exactly this commit.
 */
export function holdWork(run: PhaseRun, { commit, paths }: OffLimitsError, result: unknown): PhaseResult {
  // Tests and criteria run after the approval.
  const judgement = judgeCode(result, { commit, test: null, results: [] });
  if (judgement.kind !== 'accepted') return resultOfJudgement(judgement);
  const { handoff, value } = judgement;
  const { snapshot, phaseRun } = run;
  const ref = savedWorkRef(snapshot.ref.number, phaseRun);
  const named = paths.slice(0, MOST_PATHS).map((path) => path.slice(0, LONGEST_PATH));
  const held: HeldWork = { ...value, paths: named, approvedBy: null };
  const ending = { kind: 'needs-human', code: 'off-limits' } as const;
  return {
    ...ending,
    because: heldWorkText(commit, paths, ref),
    next: (state) => ({ ...state, handoff, progress: { ...state.progress, held } }),
    alongside: [{ ref, expected: null, to: commit }],
    work: commit,
    held,
    whenStuck: async (obstacle) => ({ ...ending, because: refusedWorkText(paths, whyOf(obstacle)), work: commit }),
  };
}

const whyOf = (obstacle: Obstacle): string =>
  obstacle.kind === 'refused' ? obstacle.why : 'its ref was taken by somebody else';
