import type { Instant } from '../../clock/clock.js';
import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { accountNode, accountNodeOrNull, repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { authorAssociation } from '../../identity/association.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { plainText } from './plain-text.js';

/** Anything a person or an App wrote: an issue, a comment, a review. */
export interface Written {
  readonly id: number;
  readonly repositoryId: number;
  readonly authorId: number;
  readonly body: string | null;
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Fields of GraphQL's `Comment` interface: who wrote it, what it says, who changed it when. */
export function writtenFields<S>(rowOf: (source: S, context: Context) => Written) {
  const on =
    <T>(read: (row: Written, context: Context) => T) =>
    (source: S, _: unknown, context: Context): T =>
      read(rowOf(source, context), context);
  return {
    author: on((row, context) => accountNode(context, row.authorId)),
    authorAssociation: on((row, context) => authorAssociation(context.db, repositoryOf(context, row), row.authorId)),
    body: on((row) => row.body ?? ''),
    bodyText: on((row) => plainText(row.body ?? '')),
    createdAt: on((row) => isoTime(row.createdAt)),
    publishedAt: on((row) => isoTime(row.createdAt)),
    updatedAt: on((row) => isoTime(row.updatedAt)),
    createdViaEmail: () => false,
    viewerDidAuthor: on((row, { viewer }) => 'user' in viewer && viewer.user.id === row.authorId),
    editor: on((row, context) => accountNodeOrNull(context, row.editorId)),
    lastEditedAt: on((row) => isoTimeOrNull(row.lastEditedAt)),
    includesCreatedEdit: on((row) => row.lastEditedAt !== null),
    userContentEdits: (source: S, args: ConnectionArgs, context: Context) => {
      const edits = context.db.contentEdits.by('subjectId', rowOf(source, context).id);
      return connection(edits.toReversed(), args);
    },
  };
}
