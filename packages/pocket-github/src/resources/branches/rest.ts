import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notFound } from '../../world/errors.js';
import { findRef, fullName } from '../../world/lookup.js';
import { commitJson } from '../commits/commit-json.js';
import { READ, WRITE } from '../refs/access.js';
import { branchJson, branchListItemJson } from './branch-json.js';
import { mergeBranches } from './merge-branches.js';

export const branchRoutes = [
  route('GET /repos/{owner}/{repo}/branches', {
    access: READ,
    query: z.object({ ...pageQuery, protected: z.stringbool().optional() }),
    handle: ({ context, query }, repository) => {
      const branches = context.db.refs
        .by('repositoryId', repository.id)
        .filter(({ name }) => name.startsWith('refs/heads/'))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((ref) => branchListItemJson(context, ref))
        .filter((branch) => query.protected === undefined || branch.protected === query.protected);
      return listReply(
        branches,
        query,
        context,
        `/repos/${fullName(context.db, repository)}/branches`,
        (branch) => branch,
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/branches/{branch}', {
    access: READ,
    handle: async ({ context, params }, repository) => {
      const ref = findRef(context.db, repository.id, `refs/heads/${params['branch']}`);
      const commit = ref === undefined ? null : await context.world.git(repository.id).commit(ref.oid);
      if (ref === undefined || commit === null) throw notFound('Branch not found');
      return ok(branchJson(context, ref, commit));
    },
  }),
  route('POST /repos/{owner}/{repo}/merges', {
    access: WRITE,
    body: z.object({ base: z.string(), head: z.string(), commit_message: z.string().optional() }),
    handle: async ({ context, body }, repository) => {
      const { base, head, commit_message: message } = body;
      const merged = await mergeBranches(context, repository, { base, head, message });
      const commit = merged === null ? null : await context.world.git(repository.id).commit(merged);
      return commit === null ? noContent() : created(commitJson(context, repository, commit));
    },
  }),
];
