import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../source-files.js';

/* Checks requests and answers against docs/openapi.json, as a client generated from it would see them. */

type Schema = Record<string, unknown>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(
  readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8').replaceAll('#/components/schemas/', '#/$defs/'),
) as Document;

export interface Exchange {
  readonly method: string;
  readonly url: URL;
  /** As it was sent, where it was JSON. */
  readonly sent?: unknown;
  readonly status: number;
  readonly type: string | null;
  /** As it was received, where it was JSON. */
  readonly received: unknown;
}

/** Throws unless the file describes the request (where it was accepted) and the answer. */
export function assertDescribed({ method, url, sent, status, type, received }: Exchange): void {
  const operation = operationAt(method, url.pathname);
  // Unknown paths and methods are not described; the answer has the common error format.
  if (operation === undefined) return assertFits({ $ref: '#/$defs/Error' }, received, `${method} ${url.pathname}`);
  const what = `${operation.operationId} ${status}`;
  if (status < 400) {
    assertQuery(operation, url.searchParams);
    if (sent !== undefined)
      assertFits(operation.requestBody?.content['application/json']?.schema, sent, `${what} sent`);
  }
  const answer = operation.responses[status];
  if (answer === undefined) throw new Error(`${what} is not described`);
  if (type === null) return;
  const media = type.split(';')[0] ?? '';
  if (media === 'application/json' && operation.operationId !== 'openApi')
    assertFits(answer.content?.['application/json']?.schema, received, what);
  else if (answer.content !== undefined && answer.content[media] === undefined) throw new Error(`${what}: ${media}?`);
}

/** Throws unless the data of a message of the stream is described. */
export function assertMessage(data: unknown): void {
  const { schema } = document.paths['/api/events']?.['get']?.responses['200']?.content?.['text/event-stream'] ?? {};
  assertFits(schema, data, 'a message');
}

function operationAt(method: string, pathname: string): Operation | undefined {
  const path = Object.keys(document.paths).find((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(pathname),
  );
  return document.paths[path ?? '']?.[method.toLowerCase()];
}

function assertQuery({ operationId, parameters = [] }: Operation, query: URLSearchParams): void {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  for (const [name, value] of query) {
    const parameter = inQuery.find((one) => one.name === name);
    assertFits(parameter?.schema, value, `${operationId}: ${name}`);
  }
  const missing = inQuery.filter(({ name, required }) => required && !query.has(name));
  if (missing.length > 0) throw new Error(`${operationId}: ${missing.map(({ name }) => name).join()} is missing`);
}

function assertFits(schema: Schema | undefined, value: unknown, what: string): void {
  if (schema === undefined) throw new Error(`${what} is not described`);
  const whole = { ...schema, $defs: document.components.schemas } as Parameters<typeof z.fromJSONSchema>[0];
  const { error } = z.fromJSONSchema(whole).safeParse(value);
  if (error !== undefined)
    throw new Error(`${what} is described otherwise:\n${z.prettifyError(error)}\n${JSON.stringify(value)}`);
}
