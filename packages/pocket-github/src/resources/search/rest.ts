import type { components } from '@octokit/openapi-types';
import { z } from 'zod';
import type { Scope } from '../../http/context.js';
import { pageQuery, paginate } from '../../http/pagination.js';
import { route } from '../../http/route.js';
import { validationFailed } from '../../world/errors.js';
import type { Issue } from '../../world/model.js';
import { issueJson } from '../issues/issue-json.js';
import { searchIssues } from './search-issues.js';

type SearchItem = components['schemas']['issue-search-result-item'];

/** The published type knows no `null` body, though GitHub sends one for an issue without text. */
function itemJson(scope: Scope, issue: Issue): SearchItem {
  const found = issueJson(scope, issue);
  return { ...found, body: found.body as string, score: 1 };
}

export const searchRoutes = [
  route('GET /search/issues', {
    access: 'anyone',
    query: z.object({
      ...pageQuery,
      q: z.string().optional(),
      sort: z.enum(['created', 'updated', 'comments']).optional(),
      order: z.enum(['asc', 'desc']).optional(),
      advanced_search: z.string().optional(),
    }),
    handle: ({ context, query }) => {
      const { q = '', sort, order } = query;
      if (q.trim() === '') throw validationFailed({ resource: 'Search', field: 'q', code: 'missing' });
      const found = searchIssues(context, q, sort && { field: sort, direction: order ?? 'desc' });
      const kept = { ...query, per_page: undefined, page: undefined };
      const page = paginate(found, query, context, '/search/issues', kept);
      const items = page.rows.map((issue) => itemJson(context, issue));
      const answer = { total_count: found.length, incomplete_results: false, items, search_type: 'lexical' as const };
      return { status: 200, headers: page.headers, body: { json: answer } };
    },
  }),
];
