import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  buildASTSchema,
  type DefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import type { Context } from '../http/context.js';
import { UnmodelledError } from '../world/errors.js';
import { type Cut, cutAt } from './cut.js';
import { NULLABLE_FIELDS, SCHEMA_EXTENSION } from './extension.js';
import { checkPaging } from './paging-rules.js';
import { type Resolver, type ResolverMap, typenameOf } from './resolvers.js';
import { watchArguments } from './watched-arguments.js';

const SCHEMA_PACKAGE = '@octokit/graphql-schema';

/** Types whose sources are plain objects: their fields are read by name. Everything else needs a resolver. */
const PLAIN_TYPE = /(Connection|Edge|Payload|PageInfo|Summary)$/;

/** What resolvers get, and where faults cut the document. */
export interface RunContext extends Context {
  readonly cuts: readonly Cut[];
}

type BoundResolver = GraphQLFieldResolver<unknown, RunContext, Readonly<Record<string, unknown>>>;

/** GitHub's published schema plus our extension, without resolvers. */
export function loadGitHubSchema(): GraphQLSchema {
  // Descriptions are two thirds of the file and most of the time it takes to read.
  const published = readFileSync(schemaFile(), 'utf8').replaceAll(/"""[\s\S]*?"""/g, '');
  // The published SDL defines one field twice; GitHub's server evidently does not mind, and neither may we.
  const document = parse(published + SCHEMA_EXTENSION, { noLocation: true });
  return buildASTSchema(
    { ...document, definitions: document.definitions.map(withNullableFields) },
    { assumeValidSDL: true },
  );
}

function withNullableFields(node: DefinitionNode): DefinitionNode {
  const nullable = node.kind === Kind.OBJECT_TYPE_DEFINITION ? NULLABLE_FIELDS[node.name.value] : undefined;
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || nullable === undefined) return node;
  const fields = (node.fields ?? []).map((field) =>
    nullable.includes(field.name.value) && field.type.kind === Kind.NON_NULL_TYPE
      ? { ...field, type: field.type.type }
      : field,
  );
  return { ...node, fields };
}

/** The package exports only a module that reads five more megabytes of JSON; we need just this file of it. */
function schemaFile(): string {
  const folders = createRequire(import.meta.url).resolve.paths(SCHEMA_PACKAGE) ?? [];
  const file = folders.map((folder) => join(folder, SCHEMA_PACKAGE, 'schema.graphql')).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${SCHEMA_PACKAGE} is not installed`);
  return file;
}

/** Binds resolvers to the schema. A field without a resolver throws an error with its name instead of returning null. */
export function bindResolvers(schema: GraphQLSchema, resolvers: ResolverMap): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) type.resolveType = (source: object) => typenameOf(source);
    if (!isObjectType(type)) continue;
    const own = resolvers[type.name] ?? {};
    for (const field of Object.values(type.getFields())) {
      field.resolve = cuttable(bind(type.name, field, own[field.name]));
    }
    for (const name of Object.keys(own)) {
      if (type.getFields()[name] === undefined)
        throw new Error(`resolver for ${type.name}.${name}, which is not in the schema`);
    }
  }
  for (const name of Object.keys(resolvers)) {
    if (!isObjectType(schema.getType(name)))
      throw new Error(`resolvers for ${name}, which is not an object type of the schema`);
  }
  return schema;
}

/** The resolver, unless a fault makes this place of the answer fail. */
function cuttable(resolve: BoundResolver): BoundResolver {
  return (source, args, context, info) => {
    const cut = cutAt(context.cuts, info);
    if (cut === undefined) return resolve(source, args, context, info);
    if (cut.error === null) return isNonNullType(info.returnType) ? resolve(source, args, context, info) : null;
    if (!cut.isLate) throw cut.error;
    return Promise.resolve(resolve(source, args, context, info)).then(() => {
      throw cut.error;
    });
  };
}

function bind(type: string, field: GraphQLField<unknown, Context>, resolver: Resolver | undefined): BoundResolver {
  if (resolver !== undefined) return bound(type, field, resolver);
  if (PLAIN_TYPE.test(type)) return (source) => plainField(type, field.name, source);
  return () => {
    throw new UnmodelledError(`${type}.${field.name}`);
  };
}

/** The resolver within what holds for every field: paging rules, no argument ignored, mutations echo their client's id. */
function bound(type: string, field: GraphQLField<unknown, Context>, resolver: Resolver): BoundResolver {
  if (field.args.length === 0) return (source, _, context) => resolver(source as never, {} as never, context);
  const pages = getNamedType(field.type).name.endsWith('Connection');
  return async (source, given, context, info) => {
    if (pages) checkPaging(given, info);
    const watched = watchArguments(given);
    const result: unknown = await resolver(source as never, watched.args as never, context);
    watched.check(info);
    return type === 'Mutation' ? withClientId(result, given) : result;
  };
}

function withClientId(payload: unknown, args: Readonly<Record<string, unknown>>): unknown {
  const { clientMutationId } = args['input'] as { clientMutationId?: string | null };
  return { ...(payload as object), clientMutationId: clientMutationId ?? null };
}

function plainField(type: string, field: string, source: unknown): unknown {
  if (typeof source === 'object' && source !== null && field in source)
    return (source as Record<string, unknown>)[field];
  throw new UnmodelledError(`${type}.${field}`);
}
