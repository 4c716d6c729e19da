import type { Viewer } from '../../identity/viewer.js';
import { type GitHubError, notAccessibleByIntegration, notFound } from '../../world/errors.js';
import { workflowRefusal } from '../protection/push-gate.js';

/** How the file APIs refuse callers who may not change workflows: an App gets the reason, a token without the scope gets 404. */
export function workflowsNotAllowed(viewer: Viewer): GitHubError {
  return viewer.kind === 'installation' ? notAccessibleByIntegration() : notFound();
}

/** Refuses paths of workflow files to those who lack the right to them. */
export function demandWorkflowRight(viewer: Viewer, paths: readonly string[]): void {
  if (!paths.some((path) => path.startsWith('.github/workflows/'))) return;
  if (workflowRefusal(viewer) !== null) throw workflowsNotAllowed(viewer);
}
