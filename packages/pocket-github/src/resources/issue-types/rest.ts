import { ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notFound } from '../../world/errors.js';
import { findUser } from '../../world/lookup.js';
import { READ } from '../issues/access.js';
import { issueTypeJson } from './issue-type-json.js';
import { typesOf } from './rules.js';

export const issueTypeRoutes = [
  route('GET /orgs/{org}/issue-types', {
    access: 'authenticated',
    handle: ({ context, params }) => {
      const organization = findUser(context.db, params['org'] ?? '');
      if (organization?.type !== 'Organization') throw notFound();
      return ok(context.db.issueTypes.by('ownerId', organization.id).map(issueTypeJson));
    },
  }),
  route('GET /repos/{owner}/{repo}/issue-types', {
    access: READ,
    handle: ({ context }, repository) => ok(typesOf(context.db, repository).map(issueTypeJson)),
  }),
];
