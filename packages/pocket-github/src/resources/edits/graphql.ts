import { accountNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { ContentEdit } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';

export const editResolvers: ResolverMap = {
  UserContentEdit: {
    id: (edit: ContentEdit) => formatNodeId('contentEdits', edit.id),
    editor: (edit: ContentEdit, _: unknown, context: Context) => accountNode(context, edit.editorId),
    // GitHub's `diff` is, despite its name, the whole text after the edit.
    diff: (edit: ContentEdit) => edit.text,
    editedAt: (edit: ContentEdit) => isoTime(edit.editedAt),
    createdAt: (edit: ContentEdit) => isoTime(edit.editedAt),
    updatedAt: (edit: ContentEdit) => isoTime(edit.editedAt),
    deletedAt: () => null,
    deletedBy: () => null,
  },
};
