import { REST_PREFIX } from '../urls.js';
import { UnmodelledError } from '../world/errors.js';
import type { Gate } from './gate.js';
import { headerMap, readBody } from './exchange.js';
import { matchById, parseById } from './renamed.js';
import { answerRest } from './rest.js';
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
        resource: 'core',
        points: match?.route.operation === FREE_OPERATION ? 0 : 1,
        reads: method === 'GET' || method === 'HEAD',
        headers: acceptedPermissions(match?.route.access),
        answer: async (context) => {
          if (match === null) throw new UnmodelledError(`the route ${method} ${path}`);
          const raw = { method, path, query: url.searchParams, body, headers };
          return { reply: await answerRest(byId === null ? match : matchById(match, byId.id, context), raw, context) };
        },
      });
    },
  };
}

/** GitHub names the permission that would have sufficed, with every answer. */
function acceptedPermissions(access: RouteAccess | undefined): Record<string, string> {
  return typeof access === 'object' ? { 'x-accepted-github-permissions': access.app.replace(':', '=') } : {};
}
