import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { listReply, pageQuery } from '../../http/pagination.js';
import { noContent, ok } from '../../http/reply.js';
import { type Answer, type RestRequest, route } from '../../http/route.js';
import { badCredentials, notFound } from '../../world/errors.js';
import { findRepository, findUser } from '../../world/lookup.js';
import type { App, Installation } from '../../world/model.js';
import { appJson } from './app-json.js';
import { installationJson } from './installation-json.js';
import { actorOfApp, suspendInstallation, uninstallApp, unsuspendInstallation } from './rules.js';

/** The published type wants an account that is a user and an enterprise at once; GitHub answers one or the other. */
const listed = (context: Context, installation: Installation) =>
  installationJson(context, installation) as unknown as Answer<'GET /app/installations'>[number];

/** The App whose JWT this is. */
export function appOf({ viewer }: Context): App {
  if (viewer.kind !== 'app') throw badCredentials();
  return viewer.app;
}

/** The App's installation named in the path. Installations of other Apps are not found. */
export function installationIn({ context, params }: RestRequest<unknown, unknown>): Installation {
  const installation = context.db.installations.get(Number(params['installation_id']));
  if (installation?.appId !== appOf(context).id) throw notFound();
  return installation;
}

function installationOn(
  context: Context,
  accountId: number | undefined,
  covers: (installation: Installation) => boolean = () => true,
) {
  const own = context.db.installations.by('appId', appOf(context).id);
  const installation = own.find((candidate) => candidate.accountId === accountId && covers(candidate));
  if (installation === undefined) throw notFound();
  return ok(installationJson(context, installation));
}

const aboutApps = [
  route('GET /app', {
    access: 'app-jwt',
    handle: ({ context }) => {
      const app = appOf(context);
      return ok({ ...appJson(context, app), installations_count: context.db.installations.by('appId', app.id).length });
    },
  }),
  route('GET /apps/{app_slug}', {
    access: 'anyone',
    handle: ({ context, params }) => {
      const app = context.db.apps.by('slug', params['app_slug'] ?? '')[0];
      if (app === undefined) throw notFound();
      return ok(appJson(context, app));
    },
  }),
];

const finding = [
  route('GET /app/installations', {
    access: 'app-jwt',
    query: z.object({ ...pageQuery, since: z.iso.datetime({ offset: true }).optional() }),
    handle: ({ context, query }) => {
      const since = query.since === undefined ? 0 : Date.parse(query.since);
      const rows = context.db.installations.by('appId', appOf(context).id).filter((row) => row.createdAt >= since);
      return listReply(rows, query, context, '/app/installations', (row) => listed(context, row));
    },
  }),
  route('GET /app/installations/{installation_id}', {
    access: 'app-jwt',
    handle: (request) => ok(installationJson(request.context, installationIn(request))),
  }),
  route('GET /repos/{owner}/{repo}/installation', {
    access: 'app-jwt',
    handle: ({ context, params }) => {
      const repository = findRepository(context.db, params['owner'] ?? '', params['repo'] ?? '');
      const covers = ({ repositoryIds }: Installation) =>
        repositoryIds === 'all' || repositoryIds.includes(repository?.id ?? 0);
      return installationOn(context, repository?.ownerId, covers);
    },
  }),
  route('GET /orgs/{org}/installation', {
    access: 'app-jwt',
    handle: ({ context, params }) => {
      const account = findUser(context.db, params['org'] ?? '');
      return installationOn(context, account?.type === 'Organization' ? account.id : undefined);
    },
  }),
  route('GET /users/{username}/installation', {
    access: 'app-jwt',
    handle: ({ context, params }) => installationOn(context, findUser(context.db, params['username'] ?? '')?.id),
  }),
];

const managing = [
  route('DELETE /app/installations/{installation_id}', {
    access: 'app-jwt',
    handle: async (request) => {
      const { context } = request;
      await uninstallApp(context.world, actorOfApp(appOf(context)), installationIn(request));
      return noContent();
    },
  }),
  route('PUT /app/installations/{installation_id}/suspended', {
    access: 'app-jwt',
    handle: async (request) => {
      const { context } = request;
      await suspendInstallation(context.world, actorOfApp(appOf(context)), installationIn(request));
      return noContent();
    },
  }),
  route('DELETE /app/installations/{installation_id}/suspended', {
    access: 'app-jwt',
    handle: async (request) => {
      const { context } = request;
      await unsuspendInstallation(context.world, actorOfApp(appOf(context)), installationIn(request));
      return noContent();
    },
  }),
];

export const appRoutes = [...aboutApps, ...finding, ...managing];
