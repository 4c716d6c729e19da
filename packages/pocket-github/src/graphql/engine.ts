import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { Context } from '../http/context.js';
import { UnmodelledError } from '../world/errors.js';
import { type Cost, costOf } from './cost.js';
import { cutsOf } from './cut.js';
import { DOCUMENT_RULES } from './document-rules.js';
import { formatError, type GraphqlErrorEntry, variableError } from './error-entry.js';
import type { RunContext } from './schema.js';
import { fieldsIn } from './selected-fields.js';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

/** A document that parsed, validated and keeps the node limit, ready to be charged and run. */
export interface Prepared {
  readonly request: GraphqlRequest;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly name: string;
  /** Top-level field names, aliases left out. */
  readonly fields: readonly string[];
  /** What the answer calls them. */
  readonly responseNames: readonly string[];
  readonly cost: Cost;
}

/** A document that GitHub would not run, and why. */
export interface Refused {
  readonly errors: readonly GraphqlErrorEntry[];
}

export interface GraphqlAnswer {
  readonly body: { readonly data?: unknown; readonly errors?: readonly GraphqlErrorEntry[] };
  /** What was asked for that Pocket does not model. */
  readonly unmodelled: string | null;
}

const CACHED_DOCUMENTS = 500;

/** Runs GraphQL documents over GitHub's schema. */
export class GraphqlEngine {
  readonly #schema: GraphQLSchema;
  readonly #valid = new Map<string, DocumentNode>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Parses and checks a document; the errors GitHub would answer otherwise. Nothing has run then. */
  prepare(request: GraphqlRequest): Prepared | Refused {
    const document = this.#documentOf(request.query);
    if ('errors' in document) return document;
    const operation = operationOf(document, request.operationName);
    if ('errors' in operation) return operation;
    const variables = getVariableValues(this.#schema, operation.variableDefinitions ?? [], request.variables);
    if (variables.errors !== undefined)
      return { errors: variables.errors.map((error) => variableError(error, request.variables)) };
    const cost = costOf(this.#schema, document, operation, variables.coerced);
    if (cost.refusal !== null) return { errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED', message: cost.refusal }] };
    const top = fieldsIn(operation.selectionSet, (name) => fragmentOf(document, name), variables.coerced);
    return {
      request,
      document,
      operation,
      name: operation.name?.value ?? operation.operation,
      fields: top.map((field) => field.name.value),
      responseNames: top.map((field) => field.alias?.value ?? field.name.value),
      cost,
    };
  }

  async run(prepared: Prepared, context: Context): Promise<GraphqlAnswer> {
    const { document, request, operation, responseNames } = prepared;
    const contextValue: RunContext = { ...context, cuts: cutsOf(context.effects, operation, responseNames) };
    const result = await execute({
      schema: this.#schema,
      document,
      contextValue,
      variableValues: request.variables,
      operationName: request.operationName,
    });
    const errors = (result.errors ?? []).map(formatError);
    const body = errors.length === 0 ? { data: result.data } : { data: result.data ?? null, errors };
    return { body, unmodelled: unmodelledIn(result.errors ?? []) };
  }

  #documentOf(query: string): DocumentNode | Refused {
    const known = this.#valid.get(query);
    if (known !== undefined) return known;
    const document = parsed(query);
    if ('errors' in document) return document;
    const problems = validate(this.#schema, document, DOCUMENT_RULES);
    if (problems.length > 0) return { errors: problems.map(formatError) };
    if (this.#valid.size >= CACHED_DOCUMENTS) this.#valid.clear();
    this.#valid.set(query, document);
    return document;
  }
}

function parsed(query: string): DocumentNode | Refused {
  try {
    return parse(query);
  } catch (error) {
    return { errors: [formatError(error instanceof GraphQLError ? error : new GraphQLError(String(error)))] };
  }
}

function fragmentOf(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name,
  );
}

function operationOf(document: DocumentNode, name: string | null): OperationDefinitionNode | Refused {
  const operations = document.definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [node] : []));
  const [only] = operations;
  if (name !== null) {
    const named = operations.find((operation) => operation.name?.value === name);
    return named ?? { errors: [{ message: `No operation named "${name}"` }] };
  }
  if (only === undefined || operations.length > 1) return { errors: [{ message: 'An operation name is required' }] };
  return only;
}

function unmodelledIn(errors: readonly GraphQLError[]): string | null {
  const what = errors.flatMap(({ originalError }) =>
    originalError instanceof UnmodelledError ? [originalError.what] : [],
  );
  return what.length === 0 ? null : [...new Set(what)].join(', ');
}
