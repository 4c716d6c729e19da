import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueHalf, issueOfNode, nodeOf, repositoryOf, subjectNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { findLabel, fullName } from '../../world/lookup.js';
import type { Issue, Label, Pull, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { demandOn, MODERATE, TRIAGE } from '../issues/access.js';
import { labelsOfNodes } from './label-nodes.js';
import { addLabels, createLabel, deleteLabel, removeLabels, setLabels, updateLabel } from './rules.js';

interface Input<T> {
  readonly input: T;
}

interface LabelsArgs extends ConnectionArgs {
  readonly query?: string | null;
  readonly orderBy?: { readonly field: 'CREATED_AT' | 'NAME'; readonly direction: 'ASC' | 'DESC' } | null;
}

/** Oldest label first unless `orderBy` says otherwise; the schema gives that default too. */
function ordered(labels: readonly Label[], { orderBy }: LabelsArgs): Label[] {
  const sign = orderBy?.direction === 'DESC' ? -1 : 1;
  const byName = orderBy?.field === 'NAME';
  return labels.toSorted(
    (a, b) => sign * (byName ? a.name.localeCompare(b.name) : a.createdAt - b.createdAt || a.id - b.id),
  );
}

function labelsOf(subject: Issue | Pull, args: LabelsArgs, context: Context) {
  const labels = issueHalf(context, subject).labelIds.map((id) => context.db.labels.must(id));
  return connection(ordered(labels, args), args);
}

/** The issue or pull request behind an id, and the labels behind others, once the caller may change them. */
function labelable(context: Context, id: string, labelIds: readonly string[]) {
  const issue = issueOfNode(context, id);
  demandOn(context, issue, TRIAGE);
  return { issue, labels: labelsOfNodes(context, issue.repositoryId, labelIds) };
}

const mutations = {
  addLabelsToLabelable: async (
    _: unknown,
    { input }: Input<{ labelableId: string; labelIds: string[] }>,
    context: Context,
  ) => {
    const { issue, labels } = labelable(context, input.labelableId, input.labelIds);
    return {
      labelable: subjectNode(context, (await addLabels(context.world, actorOf(context.viewer), issue, labels)).id),
    };
  },
  removeLabelsFromLabelable: async (
    _: unknown,
    { input }: Input<{ labelableId: string; labelIds: string[] }>,
    context: Context,
  ) => {
    const { issue, labels } = labelable(context, input.labelableId, input.labelIds);
    return {
      labelable: subjectNode(context, (await removeLabels(context.world, actorOf(context.viewer), issue, labels)).id),
    };
  },
  clearLabelsFromLabelable: async (_: unknown, { input }: Input<{ labelableId: string }>, context: Context) => {
    const { issue } = labelable(context, input.labelableId, []);
    return { labelable: subjectNode(context, (await setLabels(context.world, actorOf(context.viewer), issue, [])).id) };
  },
  createLabel: async (
    _: unknown,
    { input }: Input<{ repositoryId: string; name: string; color: string; description?: string }>,
    context: Context,
  ) => {
    const repository = nodeOf(context, 'repositories', input.repositoryId);
    demand(context.world.tables, context.viewer, repository, MODERATE);
    return { label: await createLabel(context.world, actorOf(context.viewer), repository, input) };
  },
  updateLabel: async (
    _: unknown,
    { input }: Input<{ id: string; name?: string; color?: string; description?: string }>,
    context: Context,
  ) => {
    const label = nodeOf(context, 'labels', input.id);
    demand(context.world.tables, context.viewer, repositoryOf(context, label), MODERATE);
    return { label: await updateLabel(context.world, actorOf(context.viewer), label, input) };
  },
  deleteLabel: async (_: unknown, { input }: Input<{ id: string }>, context: Context) => {
    const label = nodeOf(context, 'labels', input.id);
    demand(context.world.tables, context.viewer, repositoryOf(context, label), MODERATE);
    await deleteLabel(context.world, actorOf(context.viewer), label);
    return {};
  },
};

export const labelResolvers: ResolverMap = {
  Label: {
    id: (label: Label) => formatNodeId('labels', label.id),
    name: (label: Label) => label.name,
    color: (label: Label) => label.color,
    description: (label: Label) => label.description,
    isDefault: (label: Label) => label.default,
    createdAt: (label: Label) => isoTime(label.createdAt),
    updatedAt: (label: Label) => isoTime(label.updatedAt),
    repository: (label: Label, _: unknown, context: Context) => repositoryOf(context, label),
    url: (label: Label, _: unknown, { db, urls }: Context) =>
      `${urls.html}/${fullName(db, db.repositories.must(label.repositoryId))}/labels/${encodeURIComponent(label.name)}`,
  },
  Issue: { labels: labelsOf },
  PullRequest: { labels: labelsOf },
  Repository: {
    label: (repository: Repository, { name }: { name: string }, { db }: Context) =>
      findLabel(db, repository.id, name) ?? null,
    labels: (repository: Repository, args: LabelsArgs, { db }: Context) => {
      const wanted = args.query?.toLowerCase() ?? '';
      const labels = db.labels.by('repositoryId', repository.id);
      return connection(
        ordered(
          labels.filter((label) => label.name.toLowerCase().includes(wanted)),
          args,
        ),
        args,
      );
    },
  },
  Mutation: mutations,
};
