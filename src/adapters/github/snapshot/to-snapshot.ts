import { formatRepo, type IssueRef, issueOfBranch } from '../../../domain/issue/ids.js';
import { LABELS } from '../../../domain/issue/label.js';
import { parseSize } from '../../../domain/issue/size.js';
import type { BaseFacts, CommentFacts, IssueEvent, MergeMethod } from '../../../domain/state/snapshot.js';
import type { Instant } from '../../../ports/clock.js';
import { GitHubError, type RawSnapshot, type SnapshotHints } from '../../../ports/github.js';
import type { RawState } from '../../../ports/state-store.js';
import { toActor } from './actor.js';
import { refusesPushes } from './branch-rules.js';
import { outcomeOfState } from './check-facts.js';
import { type CommentNode, type IssueEventFacts, type IssueFacts, labelFacts, type RepositoryFacts } from './facts.js';
import { pullsOf } from './own-pulls.js';
import { labelAlias } from '../queries/queries.js';

/** The query, and GitHub's time of the answer. */
export interface SnapshotContext {
  readonly ref: IssueRef;
  readonly hints: SnapshotHints;
  readonly at: Instant;
  /** Our clock before the query. */
  readonly askedAt: Instant;
  /** Who we are. */
  readonly accountId: number;
}

/** Converts GitHub's answer to our types. */
export function toSnapshot(facts: IssueFacts, { ref, hints, at, askedAt, accountId }: SnapshotContext): RawSnapshot {
  const { repository, labels } = facts;
  return {
    ref,
    readAt: at,
    knownAt: askedAt,
    repositoryId: repository.id,
    repositoryDatabaseId: repository.databaseId,
    issueId: facts.id,
    title: facts.title,
    body: facts.body,
    author: toActor(facts.author),
    editor: toActor(facts.editor),
    editedAt: facts.lastEditedAt,
    state: facts.state === 'OPEN' ? 'open' : 'closed',
    labels: (labels ?? []).map(({ name }) => name),
    labelIds: { ...Object.fromEntries((labels ?? []).map(({ name, id }) => [name, id])), ...ourLabels(repository) },
    ...projectSize(facts),
    events: [...facts.labelings, ...facts.closings].map(eventOf).sort((a, b) => a.at - b.at),
    comments: (facts.comments.nodes ?? []).flatMap((comment) => (comment === null ? [] : [commentOf(comment)])),
    base: baseOf(ref, repository, hints),
    ...pullsOf(repository, { ref, hints, accountId }),
    workHead: repository.work?.target?.oid ?? null,
    mergeMethod: mergeMethodOf(repository),
    openPulls: openPullsOf(repository),
    rawState: stateOf(repository),
  };
}

export function commentOf({ id, fullDatabaseId, author, body, createdAt, lastEditedAt }: CommentNode): CommentFacts {
  const when = { at: createdAt, edited: lastEditedAt !== null };
  return { id, databaseId: fullDatabaseId, author: toActor(author), body, ...when };
}

/**
 * Counts our open pull requests. Anybody can open many from forks, so that ours are not among the newest. Only people who may push have
 * branches here, so the branches' own lists are counted, too, each once.
 */
function openPullsOf({ openPulls, workBranches }: RepositoryFacts): number {
  const ofBranches = (workBranches ?? []).flatMap(({ associatedPullRequests }) => associatedPullRequests);
  const ours = [...(openPulls ?? []), ...ofBranches].filter(
    (pull) => !pull.isCrossRepository && issueOfBranch(pull.headRefName) !== null,
  );
  return new Set(ours.map(({ headRefName }) => headRefName)).size;
}

/** Prefers one commit per issue. GitHub always allows at least one method. */
function mergeMethodOf(repository: RepositoryFacts): MergeMethod {
  if (repository.squashMergeAllowed) return 'squash';
  return repository.mergeCommitAllowed ? 'merge' : 'rebase';
}

/** Keyed by our spelling: GitHub ignores the case of labels. */
function ourLabels(repository: RepositoryFacts): Record<string, string> {
  const found = LABELS.flatMap(({ name }, index) => {
    const { data: label } = labelFacts.safeParse(repository[labelAlias(index)]);
    return label == null ? [] : [[name, label.id] as const];
  });
  return Object.fromEntries(found);
}

/** The size on the first board that has one. */
function projectSize({ projectItems }: IssueFacts): Pick<RawSnapshot, 'projectSize' | 'projectSizeAt'> {
  for (const { fieldValueByName: value } of projectItems ?? []) {
    const size = parseSize(value?.name ?? value?.text);
    if (size !== null) return { projectSize: size, projectSizeAt: value?.updatedAt ?? null };
  }
  return { projectSize: null, projectSizeAt: null };
}

const KINDS = {
  LabeledEvent: 'labeled',
  UnlabeledEvent: 'unlabeled',
  ClosedEvent: 'closed',
  ReopenedEvent: 'reopened',
  RenamedTitleEvent: 'renamed',
} as const;

export function eventOf(event: IssueEventFacts): IssueEvent {
  const label = 'label' in event ? event.label.name : null;
  return { id: event.id, kind: KINDS[event.type], label, actor: toActor(event.actor), at: event.createdAt };
}

/** A missing base is replaced by the default branch; `base.ref` names the one used. */
function baseOf(ref: IssueRef, repository: RepositoryFacts, { landed }: SnapshotHints): BaseFacts {
  const branch = repository.base ?? repository.defaultBranchRef;
  if (branch === null)
    throw new GitHubError('no-commit', `${formatRepo(ref)} has no commit to start from: push one first`);
  // GitHub left the tip out: a branch always has one.
  if (branch.target === null) throw new GitHubError('transient', `GitHub does not say where ${branch.name} is`);
  const status = branch.compare?.status;
  const rollup = branch.target.statusCheckRollup?.state;
  const byDefault = repository.defaultBranchRef;
  return {
    ref: branch.name,
    head: branch.target.oid,
    protected: refusesPushes(branch),
    checks: rollup === undefined ? 'none' : outcomeOfState(rollup),
    defaultHead: byDefault?.name === branch.name ? null : (byDefault?.target?.oid ?? null),
    holdsLanded: landed === null ? null : status === 'BEHIND' || status === 'IDENTICAL',
  };
}

function stateOf({ state }: RepositoryFacts): RawState | null {
  if (state === null) return null;
  const blob = state.file?.object;
  const whole = blob?.isTruncated === false ? (blob.text ?? null) : null;
  return { oid: state.oid, parents: (state.parents ?? []).map(({ oid }) => oid), text: whole };
}
