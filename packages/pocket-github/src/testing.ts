/* For tests that arrange or inspect a world without HTTP: what the API cannot create, what people do, and what is stored. */

/* Made from nothing. */
export { ensureCiApp } from './ci/ci-app.js';
export { commitFiles } from './git/seed-commits.js';
export { seedApp, seedInstallation, newAppKeys } from './resources/apps/seed-app.js';
export { seedProject, insertField } from './resources/projects/seed-project.js';
export { seedCollaborator, seedPersonalToken, seedRepository, seedUser } from './seed/seed-repository.js';
export { type PocketSnapshot, restoreSnapshot, takeSnapshot } from './snapshots.js';

/* Done by people and Apps. */
export { suspendInstallation, uninstallApp } from './resources/apps/rules.js';
export { updateRun } from './resources/checks/runs.js';
export { removeCollaborator, setCollaborator } from './resources/collaborators/rules.js';
export { createComment, editComment } from './resources/comments/rules.js';
export { closeIssue, editIssue, openIssue, reopenIssue } from './resources/issues/rules.js';
export { addLabels, labelsByName, removeLabels } from './resources/labels/rules.js';
export { addItem, setFieldValue } from './resources/projects/rules.js';
export { closePull, reopenPull, updatePull } from './resources/pulls/rules.js';
export { moveRefs } from './resources/refs/rules.js';
export { createReview, dismissReview } from './resources/reviews/rules.js';
export { type Verdict } from './resources/reviews/verdict.js';

/* What is stored. */
export { loadGitHubSchema } from './graphql/schema.js';
export { RESOURCES } from './resources/index.js';
export { isByWriter, latestOpinions } from './resources/reviews/decision.js';
export { type EventData } from './world/events.js';
export { findIssue, findPull, findRef, findRepository, findUser } from './world/lookup.js';
export { type App, type CheckRun, type Issue, type Oid, type Pull, type Repository, type User } from './world/model.js';
export { formatNodeId, type Tables } from './world/tables.js';
export { type Actor, type World } from './world/world.js';

/* The parts of a push, for a double that takes one without a git process. */
export { refusalByFault } from './faults/ref-refusal.js';
export { GitCommands } from './git/git-command.js';
export {
  type GitCommit,
  type GitRepository,
  type NewCommit,
  type RefUpdate,
  type TouchedPaths,
} from './git/git-repository.js';
export { IncomingUpdate } from './git/protocol/incoming-update.js';
export { allows, atLeast, roleOf } from './identity/access.js';
export { authenticate } from './identity/authenticate.js';
export { actorOf, viewerName } from './identity/viewer.js';
export { pushPolicy } from './resources/protection/push-gate.js';
