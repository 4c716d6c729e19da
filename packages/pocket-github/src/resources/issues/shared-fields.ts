import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueHalf, repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import type { Issue, Pull } from '../../world/model.js';
import { writtenFields } from '../edits/written-fields.js';
import { allowsOn, orAuthor, TRIAGE } from './access.js';

type Subject = Issue | Pull;

/** The author, those assigned and those who commented: people only, each once. */
function participants(subject: Subject, args: ConnectionArgs, context: Context) {
  const { db } = context;
  const { id, authorId, assigneeIds } = issueHalf(context, subject);
  const ids = new Set([authorId, ...assigneeIds, ...db.comments.by('issueId', id).map((comment) => comment.authorId)]);
  return connection(
    [...ids].map((userId) => db.users.must(userId)).filter(({ type }) => type === 'User'),
    args,
  );
}

const canUpdate = (subject: Subject, _: unknown, context: Context): boolean => {
  const issue = issueHalf(context, subject);
  return allowsOn(context, issue, orAuthor(context, issue, TRIAGE));
};

/** What issues and pull requests have in common because both have an issue half. */
export const sharedFields = {
  ...writtenFields((subject: Subject, context) => issueHalf(context, subject)),
  number: (subject: Subject) => subject.number,
  title: (subject: Subject, _: unknown, context: Context) => issueHalf(context, subject).title,
  repository: (subject: Subject, _: unknown, context: Context) => repositoryOf(context, subject),
  locked: (subject: Subject, _: unknown, context: Context) => issueHalf(context, subject).locked,
  activeLockReason: (subject: Subject, _: unknown, context: Context) =>
    issueHalf(context, subject).lockReason?.toUpperCase().replace(/[- ]/g, '_') ?? null,
  participants,
  viewerCanUpdate: canUpdate,
  viewerCannotUpdateReasons: (subject: Subject, args: unknown, context: Context) =>
    canUpdate(subject, args, context) ? [] : ['INSUFFICIENT_ACCESS'],
  viewerCanLabel: (subject: Subject, _: unknown, context: Context) =>
    allowsOn(context, issueHalf(context, subject), TRIAGE),
};
