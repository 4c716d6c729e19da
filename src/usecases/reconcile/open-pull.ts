import { stateOf } from '../../domain/state/evidence.js';
import { formatIssue, workBranch } from '../../domain/issue/ids.js';
import { pullBody, pullTitle } from '../../domain/render/pull-request/pull-text.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { GitHubError, type GitHubProblem, type RawSnapshot } from '../../ports/github.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';
import type { Engine } from '../engine.js';
import { resolveSnapshot, hintsFor } from '../issue/observe.js';

/** Refusals that stay until a person changes something. */
const REFUSED: readonly GitHubProblem[] = ['permanent', 'forbidden'];

/**
 * Opens the pull request for pushed work. A refusal stops the run with GitHub's reason, so that the status does not claim that coding goes
 * on.
 */
export async function openPull(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const { ref, base } = snapshot;
  const hints = hintsFor(engine, ref);
  const pull = { branch: workBranch(ref.number), base: base.ref, title: pullTitle(snapshot), body: pullBody(snapshot) };
  const opened = await engine.github.openPull(snapshot, pull, hints).catch(refusalOf);
  if (typeof opened !== 'string') return resolveSnapshot(engine, opened, hints);
  engine.log.warn({ issue: formatIssue(ref), why: opened }, 'pull request refused');
  const because = `GitHub refuses to open the pull request: ${opened}`;
  const halt = { state: 'needs-human', code: 'pull-refused', because } as const;
  return swapOrRequeue(engine, snapshot, { ...stateOf(snapshot), halt }, because);
}

function refusalOf(error: unknown): string | RawSnapshot {
  if (error instanceof GitHubError && REFUSED.includes(error.problem)) return error.message;
  throw error;
}
