import type { Change } from '../../../domain/action/change.js';
import type { IssueSnapshot } from '../../../domain/state/snapshot.js';
import { GitHubError } from '../../../ports/github.js';
import { verbatim } from '../client/rules/published-texts.js';
import { STEPS, type Step } from '../queries/queries.js';
import type { Identity } from '../auth/token-source.js';

/** One mutation and its input. */
export interface ProjectionStep {
  readonly step: Step;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ProjectionParts {
  readonly snapshot: IssueSnapshot;
  readonly identity: Identity;
  /** Node ids by name, for all labels in the changes. */
  readonly labelIds: Readonly<Record<string, string>>;
}

/** The mutations for the changes. Those whose payload contains the issue come last. */
export function projectionSteps(changes: readonly Change[], parts: ProjectionParts): readonly ProjectionStep[] {
  const steps = changes.flatMap((change) => stepsOf(change, parts));
  const hasIssue = ({ step }: ProjectionStep): boolean => STEPS[step].issueAt !== null;
  return [...steps.filter((one) => !hasIssue(one)), ...steps.filter(hasIssue)];
}

function stepsOf(change: Change, parts: ProjectionParts): ProjectionStep[] {
  const { issueId } = parts.snapshot;
  switch (change.kind) {
    case 'labels':
      return labelSteps(change, parts);
    case 'comment':
      return change.existing === null
        ? [{ step: 'addComment', input: { subjectId: issueId, body: change.body } }]
        : [{ step: 'updateIssueComment', input: { id: change.existing, body: change.body } }];
    case 'remove-comment':
      return [{ step: 'deleteIssueComment', input: { id: change.id } }];
    case 'check-run':
      return [checkRunStep(change, parts)];
    case 'tick':
      return [{ step: 'updateIssue', input: { id: issueId, body: verbatim(change.body) } }];
    case 'close':
      return [{ step: 'closeIssue', input: { issueId, stateReason: 'COMPLETED' } }];
  }
}

/** Adds before removing, so that there is always a label. */
function labelSteps(
  { add, remove }: Extract<Change, { kind: 'labels' }>,
  { snapshot, labelIds }: ProjectionParts,
): ProjectionStep[] {
  const ids = (names: readonly string[]): string[] => names.flatMap((name) => labelIds[name] ?? []);
  const labelableId = snapshot.issueId;
  return [
    ...(add.length === 0
      ? []
      : [{ step: 'addLabelsToLabelable', input: { labelableId, labelIds: ids(add) } } as const]),
    ...(remove.length === 0
      ? []
      : [{ step: 'removeLabelsFromLabelable', input: { labelableId, labelIds: ids(remove) } } as const]),
  ];
}

function checkRunStep(
  { name, head, conclusion, title, summary }: Extract<Change, { kind: 'check-run' }>,
  { snapshot, identity }: ProjectionParts,
): ProjectionStep {
  if (identity.appId === null) throw new GitHubError('permanent', `only an App can write the check run ${name}`);
  const input = {
    repositoryId: snapshot.repositoryId,
    name,
    headSha: head,
    status: 'COMPLETED',
    conclusion: conclusion.toUpperCase(),
    output: { title, summary },
  };
  return { step: 'createCheckRun', input };
}
