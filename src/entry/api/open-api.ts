import { z } from 'zod';
import { version } from '../service/version.js';
import { errorBody } from './outputs.js';
import { type AnswerShape, type Route, ROUTES } from './routes.js';

type Json = Readonly<Record<string, unknown>>;

/** Answers that every request can get. */
const ALWAYS: Readonly<Record<number, AnswerShape>> = {
  401: { means: 'The token is missing or wrong.', body: errorBody },
  403: {
    means:
      'SLUICE_API_TOKEN is not set and the request did not come under a loopback name, a page of another site sent it, or the operator does not serve the repository.',
    body: errorBody,
  },
  405: { means: 'Not by this method; `Allow` names those there are.', body: errorBody },
  500: { means: 'A defect of ours; the log has it.', body: errorBody },
  502: { means: 'GitHub refuses.', body: errorBody },
  503: { means: 'GitHub does not answer; `Retry-After` says when to ask again.', body: errorBody },
};

/** The description of the API, made from its table of routes. */
export function openApi(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of ROUTES as readonly Route[])
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice', version: version(), description: 'Starts, stops and reports runs. See docs/api.md.' },
    servers: [{ url: 'http://127.0.0.1:3000' }],
    security: [{ token: [] }],
    paths: { ...paths, '/healthz': probe('Whether the process is alive.'), '/readyz': probe('Whether it takes work.') },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The value of SLUICE_API_TOKEN, or of the file api-token in the service’s folder.',
        },
      },
      schemas: components(),
    },
  };
}

function operationOf({ operation, summary, path, query, body, answers }: Route): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: operation,
    summary,
    parameters: [...inPath, ...(query === undefined ? [] : queryParameters(query))],
    ...(body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: Object.fromEntries(
      Object.entries({ ...ALWAYS, ...answers }).map(([status, shape]) => [status, responseOf(shape)]),
    ),
  };
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties, required = [] } = schemaOf(query) as { properties: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function responseOf({ means, body, stream }: AnswerShape): Json {
  const content = {
    ...(body === undefined ? {} : { 'application/json': { schema: schemaOf(body) } }),
    ...(stream === undefined ? {} : { 'text/event-stream': { schema: schemaOf(stream) } }),
  };
  return { description: means, ...(Object.keys(content).length === 0 ? {} : { content }) };
}

const probe = (summary: string): Json => ({
  get: {
    operationId: summary.includes('alive') ? 'health' : 'readiness',
    summary,
    security: [],
    responses: { 200: { description: 'Yes.' }, 503: { description: 'No.' } },
  },
});

const STYLE = {
  io: 'input',
  // The format is enough; the pattern would fill a page.
  override: ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  },
} as const;

/** The schemas that have a name. */
function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...STYLE, uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _draft, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** A schema, or a reference when it has a name. */
function schemaOf(schema: z.ZodType): Json {
  const { id } = z.globalRegistry.get(schema) ?? {};
  if (id !== undefined) return { $ref: reference(id) };
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, STYLE);
  return json;
}

const reference = (name: string): string => `#/components/schemas/${name}`;
