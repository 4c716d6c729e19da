import { landedWorkHead, stateOf } from '../../../domain/state/evidence.js';
import { savedWorkRef, previousHeadRef, type Oid, workBranch, shortOid } from '../../../domain/issue/ids.js';
import type { FixRequest, IssueState } from '../../../domain/state/state.js';
import type { RefPush } from '../../../ports/git-host.js';
import { unrelatedText } from '../../../domain/render/phrases/unrelated-work.js';
import { failedResult, type Obstacle, type PhaseResult } from '../phase-result.js';
import type { PhaseRun } from '../phase-run.js';

/* A work branch has two owners. What people push stays: our push contains it, or our work goes to a separate ref. */

/** How often people may push first before our work is saved on its own ref instead. */
const MOST_MERGES = 5;

const workRef = (issue: number): string => `refs/heads/${workBranch(issue)}`;

/** Work for the branch, and the results for when it gets there and when it does not. */
export interface Delivery {
  readonly commit: Oid;
  /** The commit the work started from. */
  readonly start: Oid;
  /** The result when the branch is at `head`: our commit, or (`isNew`) ours merged with what somebody pushed. */
  readonly onBranch: (head: Oid, isNew: boolean) => PhaseResult | Promise<PhaseResult>;
  /** The result when the branch cannot take the work now. */
  readonly apart: PhaseResult;
  /** Records the work in the state when the branch does not hold it. */
  readonly remember: (state: IssueState, commit: Oid) => IssueState;
}

/** The phase result that pushes work to the branch, merged with what people pushed there. */
export async function deliverWork(
  run: PhaseRun,
  delivery: Delivery,
  tip: Oid | null = run.snapshot.workHead,
  merges = 0,
): Promise<PhaseResult> {
  const joined = await joinBranch(run, delivery, tip);
  if (joined === 'unrelated') return besideForeign(run, delivery, tip);
  if (joined === null) return conflictResult(run, delivery, tip);
  const { head, isNew } = joined;
  const made = await delivery.onBranch(head, isNew);
  const whenStuck = async (obstacle: Obstacle): Promise<PhaseResult> => {
    if (obstacle.kind === 'blocked' && merges < MOST_MERGES)
      return deliverWork(run, { ...delivery, commit: head }, await branchTip(run), merges + 1);
    const isNewRefused = tip === null && obstacle.kind === 'refused' && !obstacle.isPassing && merges < MOST_MERGES;
    const current = isNewRefused ? await withCurrentBase(run, head) : null;
    if (current !== null) return deliverWork(run, withRetest({ ...delivery, commit: current }), tip, MOST_MERGES);
    return saveRefusedWork(run, { ...delivery, commit: head }, obstacle);
  };
  return { whenStuck, work: head, alongside: await branchPushes(run, head, tip), ...made };
}

/**
 * Merges the branch into our commit unless it is contained already. `null` on a conflict. Unrelated histories cannot be merged even by an
 * agent.
 */
async function joinBranch(
  { engine, snapshot }: PhaseRun,
  { commit, start }: Delivery,
  tip: Oid | null,
): Promise<{ readonly head: Oid; readonly isNew: boolean } | 'unrelated' | null> {
  const { gitHost } = engine;
  const { ref, base } = snapshot;
  if (tip === null || isLeftBehind(snapshot, tip) || (await gitHost.contains(ref, commit, tip)))
    return { head: commit, isNew: false };
  if (!(await gitHost.isRelated(ref, [base.head, tip]))) return 'unrelated';
  const message = `Merge what is on ${workBranch(ref.number)}`;
  // An agent may rewrite its history. Its files count; the old commits stay in the history as a parent.
  const isRewritten = !(await gitHost.contains(ref, commit, start)) && (await gitHost.contains(ref, tip, start));
  const ours = isRewritten
    ? await gitHost.merge(ref, { first: commit, second: start, take: 'first', message })
    : commit;
  if (ours === null || tip === start) return ours === null ? null : { head: ours, isNew: false };
  const head = await gitHost.merge(ref, { first: ours, second: tip, take: 'both', message });
  return head === null ? null : { head, isNew: true };
}

/** Whether nothing on the branch belongs to the new work: all of it has landed, or a person asked to start over. */
function isLeftBehind(snapshot: PhaseRun['snapshot'], tip: Oid): boolean {
  return tip === snapshot.workHead && (landedWorkHead(snapshot) === tip || stateOf(snapshot).progress.startsOver);
}

/**
 * GitHub refuses a new branch whose workflow files are not those of the default branch, which may have changed them since the work
 * began. `null` when base has brought nothing new, or conflicts.
 */
async function withCurrentBase({ engine, snapshot }: PhaseRun, head: Oid): Promise<Oid | null> {
  const { ref, base } = snapshot;
  const name = `refs/heads/${base.ref}`;
  const second = (await engine.gitHost.fetch(ref, [name])).get(name);
  if (second === undefined || (await engine.gitHost.contains(ref, head, second))) return null;
  return engine.gitHost.merge(ref, { first: head, second, take: 'both', message: `Merge ${base.ref}` });
}

/** The merge with base has not been tested yet. */
const withRetest = (delivery: Delivery): Delivery => ({
  ...delivery,
  onBranch: (head) => delivery.onBranch(head, true),
});

/** Moves the branch, and keeps commits that would no longer be on it. */
async function branchPushes({ engine, snapshot }: PhaseRun, head: Oid, tip: Oid | null): Promise<readonly RefPush[]> {
  const { ref } = snapshot;
  const move: RefPush = { ref: workRef(ref.number), expected: tip, to: head };
  if (tip === null || landedWorkHead(snapshot) === tip || (await engine.gitHost.contains(ref, head, tip)))
    return [move];
  return [move, { ref: previousHeadRef(ref.number, tip), expected: null, to: tip }];
}

/** The current tip of the branch. */
async function branchTip({ engine, snapshot }: PhaseRun): Promise<Oid | null> {
  const name = workRef(snapshot.ref.number);
  return (await engine.gitHost.fetch(snapshot.ref, [name])).get(name) ?? null;
}

/**
 * The result of a merge conflict with a person's push. Theirs stays on the branch. Ours goes to its own ref, and the next run starts from
 * theirs and gets the id of ours.
 */
function conflictResult(run: PhaseRun, { commit, ...delivery }: Delivery, tip: Oid | null): PhaseResult {
  const branch = workBranch(run.snapshot.ref.number);
  const because = `somebody pushed to ${branch} meanwhile, and it conflicts with ${shortOid(commit)}`;
  const items = [
    'Somebody pushed to the work branch while you worked, and it conflicts with what you did. The clone stands on theirs.',
    `What you did is commit ${commit}: see \`git diff HEAD...${commit}\`, and add what is still missing.`,
  ];
  const fix: FixRequest = { source: 'tests', head: tip, items };
  const remember = (state: IssueState): IssueState => ({
    ...state,
    progress: { ...state.progress, fix, wip: null, ready: null, startsOver: false },
  });
  const apart = failedResult(because, items);
  return saveOnOwnRef(run, { ...delivery, commit, remember, apart }, apart);
}

/** The branch was replaced with an unrelated history. A person decides; our work stays on its own ref. */
function besideForeign(bench: PhaseRun, delivery: Delivery, tip: Oid | null): PhaseResult {
  const { snapshot, phaseRun } = bench;
  const because = unrelatedText({ ...snapshot, workHead: tip }, savedWorkRef(snapshot.ref.number, phaseRun));
  return saveOnOwnRef(bench, delivery, { kind: 'needs-human', code: 'work-unrelated', because });
}

/** The branch refuses the work. A temporary refusal is waited out; a permanent one needs a person, who is shown GitHub's reason. */
function saveRefusedWork(run: PhaseRun, delivery: Delivery, obstacle: Obstacle): PhaseResult {
  if (obstacle.kind !== 'refused' || obstacle.isPassing) return saveOnOwnRef(run, delivery, delivery.apart);
  const because = `GitHub refused the push of ${workBranch(run.snapshot.ref.number)}: ${obstacle.why}`;
  return saveOnOwnRef(run, delivery, { kind: 'needs-human', code: 'push-refused', because });
}

/** Writes the state without the branch. The work goes to its own ref, if GitHub accepts that. */
function saveOnOwnRef(
  { snapshot, phaseRun }: PhaseRun,
  { commit, remember }: Delivery,
  result: PhaseResult,
): PhaseResult {
  const next = (state: IssueState): IssueState => remember(result.next?.(state) ?? state, commit);
  const alone: PhaseResult = { ...result, next, work: commit };
  const ref = savedWorkRef(snapshot.ref.number, phaseRun);
  return { ...alone, alongside: [{ ref, expected: null, to: commit }], whenStuck: async () => alone };
}
