import { REST_PREFIX } from '../urls.js';
import { badCredentials, type GitHubError, undecodableJwt, UnmodelledError } from '../world/errors.js';
import { DOCS, type Gate } from './gate.js';
import { headerMap, readBody } from './exchange.js';
import { matchById, parseById } from './renamed.js';
import type { Reply } from './reply.js';
import { answerRest, errorReply } from './rest.js';
import type { RouteAccess } from './route.js';
import type { Router } from './router.js';
import { isRest, type Surface } from './server.js';

/** Asking how much is left costs nothing. */
const FREE_OPERATION = 'GET /rate_limit';

/** REST below /api/v3. */
export function restSurface(gate: Gate, router: Router): Surface {
  return {
    owns: isRest,
    serve: async (request, _response, url) => {
      const method = request.method ?? 'GET';
      const path = url.pathname.slice(REST_PREFIX.length) || '/';
      const body = await readBody(request);
      const byId = parseById(path);
      const match = router.match(method, byId?.path ?? path);
      const headers = headerMap(request);
      return gate.pass({
        facts: { surface: 'rest', method, operation: match?.route.operation ?? `${method} ${path}`, fields: [], path },
        authorization: headers['authorization'],
        ifNoneMatch: headers['if-none-match'],
        resource: path.startsWith('/search/') ? 'search' : 'core',
        points: match?.route.operation === FREE_OPERATION ? 0 : 1,
        reads: method === 'GET' || method === 'HEAD',
        headers: acceptedPermissions(match?.route.access),
        userAgent: headers['user-agent'],
        ...(match?.route.access === 'app-jwt' ? { refuse: asUndecodable } : {}),
        answer: async (context) => {
          if (match === null) throw new UnmodelledError(`the route ${method} ${path}`);
          const raw = { method, path, query: url.searchParams, body, headers };
          return { reply: await answerRest(byId === null ? match : matchById(match, byId.id, context), raw, context) };
        },
      });
    },
  };
}

/** Where an App's JWT is asked for, any other text is one that cannot be read. */
const asUndecodable = (error: GitHubError): Reply =>
  errorReply(error.status === 401 && error.message === badCredentials().message ? undecodableJwt() : error, DOCS);

/** GitHub names the permission that would have sufficed, with every answer. */
function acceptedPermissions(access: RouteAccess | undefined): Record<string, string> {
  return typeof access === 'object' ? { 'x-accepted-github-permissions': access.app.replace(':', '=') } : {};
}
