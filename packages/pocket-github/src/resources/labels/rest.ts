import { z } from 'zod';
import { actorOf } from '../../identity/viewer.js';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { GitHubError, notFound } from '../../world/errors.js';
import { findLabel, fullName } from '../../world/lookup.js';
import type { Issue, Label, Repository } from '../../world/model.js';
import { MODERATE, READ, SEE, TRIAGE } from '../issues/access.js';
import { subjectIn } from '../issues/subject.js';
import { labelJson } from './label-json.js';
import { namedLabels } from './named-labels.js';
import { addLabels, createLabel, deleteLabel, removeLabels, setLabels, updateLabel } from './rules.js';

/** Labels come as `{ labels: [...] }` or as a bare list; each a name or `{ name }`. */
const labelNames = z.array(z.union([z.string(), z.object({ name: z.string() })]));
const labelsBody = z.object({ labels: labelNames.optional(), __list: labelNames.optional() });
type LabelsBody = z.infer<typeof labelsBody>;

function namesIn({ labels, __list: list }: LabelsBody): string[] {
  return (labels ?? list ?? []).map((label) => (typeof label === 'string' ? label : label.name));
}

function labelIn(request: RestRequest<unknown, unknown>, repository: Repository): Label {
  const label = findLabel(request.context.db, repository.id, request.params['name'] ?? '');
  if (label === undefined) throw notFound();
  return label;
}

function labelsOf(request: RestRequest<unknown, unknown>, issue: Issue) {
  const { context } = request;
  return issue.labelIds.map((id) => labelJson(context, context.db.labels.must(id)));
}

const repositoryLabels = [
  route('GET /repos/{owner}/{repo}/labels', {
    access: READ,
    query: z.object(pageQuery),
    handle: ({ context, query }, repository) =>
      listReply(
        context.db.labels.by('repositoryId', repository.id),
        query,
        context,
        `/repos/${fullName(context.db, repository)}/labels`,
        (label) => labelJson(context, label),
      ),
  }),
  route('POST /repos/{owner}/{repo}/labels', {
    access: MODERATE,
    body: z.object({ name: z.string(), color: z.string().optional(), description: z.string().nullish() }),
    handle: async ({ context, body }, repository) =>
      created(labelJson(context, await createLabel(context.world, actorOf(context.viewer), repository, body))),
  }),
  route('GET /repos/{owner}/{repo}/labels/{name}', {
    access: READ,
    handle: (request, repository) => ok(labelJson(request.context, labelIn(request, repository))),
  }),
  route('PATCH /repos/{owner}/{repo}/labels/{name}', {
    access: MODERATE,
    body: z.object({
      new_name: z.string().optional(),
      color: z.string().optional(),
      description: z.string().nullish(),
    }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const change = { name: body.new_name, color: body.color, description: body.description };
      return ok(
        labelJson(
          context,
          await updateLabel(context.world, actorOf(context.viewer), labelIn(request, repository), change),
        ),
      );
    },
  }),
  route('DELETE /repos/{owner}/{repo}/labels/{name}', {
    access: MODERATE,
    handle: async (request, repository) => {
      await deleteLabel(request.context.world, actorOf(request.context.viewer), labelIn(request, repository));
      return noContent();
    },
  }),
];

const issueLabels = [
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    access: SEE,
    query: z.object(pageQuery),
    handle: (request, repository) => {
      const { context, query } = request;
      const issue = subjectIn(request, repository, READ);
      const path = `/repos/${fullName(context.db, repository)}/issues/${issue.number}/labels`;
      return listReply(
        issue.labelIds.map((id) => context.db.labels.must(id)),
        query,
        context,
        path,
        (label) => labelJson(context, label),
      );
    },
  }),
  route('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    access: SEE,
    body: labelsBody,
    handle: async (request, repository) => {
      const { context } = request;
      const issue = subjectIn(request, repository, TRIAGE);
      const labels = await namedLabels(context, repository, namesIn(request.body));
      return ok(labelsOf(request, await addLabels(context.world, actorOf(context.viewer), issue, labels)));
    },
  }),
  route('PUT /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    access: SEE,
    body: labelsBody,
    handle: async (request, repository) => {
      const { context } = request;
      const issue = subjectIn(request, repository, TRIAGE);
      const labels = await namedLabels(context, repository, namesIn(request.body));
      return ok(labelsOf(request, await setLabels(context.world, actorOf(context.viewer), issue, labels)));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    access: SEE,
    handle: async (request, repository) => {
      await setLabels(
        request.context.world,
        actorOf(request.context.viewer),
        subjectIn(request, repository, TRIAGE),
        [],
      );
      return noContent();
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}', {
    access: SEE,
    handle: async (request, repository) => {
      const { world, viewer, db } = request.context;
      const issue = subjectIn(request, repository, TRIAGE);
      const label = findLabel(db, repository.id, request.params['name'] ?? '');
      if (label === undefined || !issue.labelIds.includes(label.id)) throw new GitHubError(404, 'Label does not exist');
      return ok(labelsOf(request, await removeLabels(world, actorOf(viewer), issue, [label])));
    },
  }),
];

export const labelRoutes = [...repositoryLabels, ...issueLabels];
