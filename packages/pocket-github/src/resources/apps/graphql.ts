import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { App } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';

export const appResolvers: ResolverMap = {
  App: {
    id: (app: App) => formatNodeId('apps', app.id),
    databaseId: (app: App) => app.id,
    clientId: (app: App) => app.clientId,
    slug: (app: App) => app.slug,
    name: (app: App) => app.name,
    description: () => null,
    url: (app: App, _: unknown, { urls }: Context) => `${urls.html}/apps/${app.slug}`,
    createdAt: (app: App) => isoTime(app.createdAt),
    updatedAt: (app: App) => isoTime(app.createdAt),
  },
};
