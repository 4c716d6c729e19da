import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { pageQuery, paginate } from '../../http/pagination.js';
import { created, json, noContent } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { Viewer } from '../../identity/viewer.js';
import { forbidden } from '../../world/errors.js';
import { APP_PERMISSIONS } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { minimalRepositoryJson } from '../repositories/repository-json.js';
import { permissionsJson } from './installation-json.js';
import { installationIn } from './rest.js';
import { mintToken, repositoriesOfInstallation, revokeToken } from './tokens.js';

const level = z.enum(['read', 'write']).optional();
const request = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.int()).optional(),
  permissions: z.strictObject(Object.fromEntries(APP_PERMISSIONS.map((name) => [name, level]))).optional(),
});

/** GitHub shows an installation no role of its own: it reads what it covers. */
const READS = { admin: false, maintain: false, push: false, triage: false, pull: true };

type InstallationViewer = Extract<Viewer, { kind: 'installation' }>;

function installationViewer({ viewer }: Context, what: string): InstallationViewer {
  if (viewer.kind === 'installation') return viewer;
  throw forbidden(`You must authenticate with an installation access token in order to ${what}.`);
}

export const tokenRoutes = [
  route('POST /app/installations/{installation_id}/access_tokens', {
    access: 'app-jwt',
    body: request,
    handle: (request) => {
      const { context, body } = request;
      const installation = installationIn(request);
      const token = mintToken(context.world, installation, {
        permissions: body.permissions,
        repositories: body.repositories,
        repositoryIds: body.repository_ids,
      });
      const { repositoryIds } = token;
      const narrowed = (body.repositories ?? body.repository_ids ?? []).length > 0 && repositoryIds !== 'all';
      const repositories = narrowed ? repositoryIds.map((id) => context.db.repositories.must(id)) : [];
      return created({
        token: token.text,
        expires_at: isoTime(token.expiresAt ?? 0),
        permissions: permissionsJson(token.permissions ?? {}),
        repository_selection: repositoryIds === 'all' ? ('all' as const) : ('selected' as const),
        ...(narrowed
          ? {
              repositories: repositories.map((row) => ({ ...minimalRepositoryJson(context, row), permissions: READS })),
            }
          : {}),
      });
    },
  }),
  route('GET /installation/repositories', {
    access: 'authenticated',
    query: z.object(pageQuery),
    handle: ({ context, query }) => {
      const { installation, token } = installationViewer(context, 'list repositories for an installation');
      const covered = repositoriesOfInstallation(context.db, installation);
      const reached = covered.filter(({ id }) => token.repositoryIds === 'all' || token.repositoryIds.includes(id));
      const page = paginate(reached, query, context, '/installation/repositories');
      const answer = {
        total_count: reached.length,
        repository_selection: token.repositoryIds === 'all' ? 'all' : 'selected',
        repositories: page.rows.map((row) => ({ ...minimalRepositoryJson(context, row), permissions: READS })),
      };
      return json(200, answer, page.headers);
    },
  }),
  route('DELETE /installation/token', {
    access: 'authenticated',
    handle: ({ context }) => {
      revokeToken(context.world, installationViewer(context, 'revoke it').token);
      return noContent();
    },
  }),
];
