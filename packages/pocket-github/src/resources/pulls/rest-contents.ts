import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { route } from '../../http/route.js';
import { fullName } from '../../world/lookup.js';
import { commitNamed } from '../checks/commit-reference.js';
import { commitJson } from '../commits/commit-json.js';
import { fileJson } from '../commits/file-json.js';
import { pullChanges } from '../review-threads/place.js';
import { READ } from './access.js';
import { simplePullJson } from './pull-json.js';
import { pullCommits, pullsWithCommit } from './pull-lists.js';
import { pullIn } from './rest.js';

/** What a pull request is made of. */
export const pullContentRoutes = [
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', {
    access: READ,
    query: z.object(pageQuery),
    handle: async (request, repository) => {
      const { context, query } = request;
      const pull = pullIn(request, repository);
      const path = `/repos/${fullName(context.db, repository)}/pulls/${pull.number}/commits`;
      const commits = await pullCommits(context.world, pull);
      return listReply(commits, query, context, path, (commit) => commitJson(context, repository, commit));
    },
  }),
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', {
    access: READ,
    query: z.object(pageQuery),
    handle: async (request, repository) => {
      const { context, query } = request;
      const pull = pullIn(request, repository);
      const path = `/repos/${fullName(context.db, repository)}/pulls/${pull.number}/files`;
      const changes = await pullChanges(context.world, pull, pull.headOid);
      return listReply(changes, query, context, path, (change) => fileJson(context, repository, pull.headOid, change));
    },
  }),
  route('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
    access: READ,
    query: z.object(pageQuery),
    handle: async ({ context, query, params }, repository) => {
      const oid = await commitNamed(context, repository, params['commit_sha'] ?? '');
      const path = `/repos/${fullName(context.db, repository)}/commits/${oid}/pulls`;
      const pulls = await pullsWithCommit(context.world, context.db, repository, oid);
      return listReply(pulls, query, context, path, (pull) => simplePullJson(context, pull));
    },
  }),
];
