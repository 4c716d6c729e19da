import { OperationTypeNode } from 'graphql';
import { z } from 'zod';
import type { GraphqlEngine, GraphqlRequest, Refused } from '../graphql/engine.js';
import { badCredentials, GitHubError, requiresAuthentication } from '../world/errors.js';
import type { Gate } from './gate.js';
import { headerMap, readBody } from './exchange.js';
import { json } from './reply.js';
import { isGraphql, type Surface } from './server.js';

const requestSchema = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** GraphQL at /api/graphql: errors come with status 200, as on GitHub. */
export function graphqlSurface(gate: Gate, engine: GraphqlEngine): Surface {
  return {
    owns: isGraphql,
    serve: async (request, _response, url) => {
      const parsed = parseRequest(await readBody(request));
      const prepared = parsed === null || 'errors' in parsed ? parsed : engine.prepare(parsed);
      const valid = prepared !== null && !('errors' in prepared) ? prepared : null;
      const headers = headerMap(request);
      return gate.pass({
        facts: {
          surface: 'graphql',
          method: request.method ?? 'POST',
          operation: valid?.name ?? 'invalid document',
          fields: valid?.fields ?? [],
          path: url.pathname,
        },
        authorization: headers['authorization'],
        userAgent: headers['user-agent'],
        ifNoneMatch: undefined,
        resource: 'graphql',
        points: valid?.cost.points ?? 1,
        nodes: valid?.cost.nodes ?? 0,
        reads: valid?.operation.operation === OperationTypeNode.QUERY,
        answer: async (context) => {
          if (context.viewer.kind === 'anonymous') throw requiresAuthentication();
          if (context.viewer.kind === 'app') throw badCredentials();
          if (prepared === null) throw new GitHubError(400, 'Problems parsing JSON');
          if ('errors' in prepared) {
            return {
              reply: json(200, { errors: prepared.errors }),
              errors: prepared.errors.map((error) => error.message),
            };
          }
          const { body, unmodelled } = await engine.run(prepared, context);
          return { reply: json(200, body), unmodelled, errors: (body.errors ?? []).map((error) => error.message) };
        },
      });
    },
  };
}

/** What the body asks for; `null` when it is not JSON. */
function parseRequest(body: Buffer): GraphqlRequest | Refused | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  const request = requestSchema.safeParse(value);
  if (!request.success) return { errors: [{ message: 'A query attribute must be specified and must be a string.' }] };
  const { query, variables, operationName } = request.data;
  return { query, variables: variables ?? {}, operationName: operationName ?? null };
}
