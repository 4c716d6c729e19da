import { GraphQLError, Kind, print } from 'graphql';
import { CutError } from './cut.js';
import { GitHubError, UnmodelledError } from '../world/errors.js';

/** One entry of a GraphQL answer's `errors`, as GitHub writes it. */
export interface GraphqlErrorEntry {
  readonly message: string;
  readonly type?: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

/** Refusals and gaps become entries; anything else is a defect of Pocket and is thrown. */
export function formatError(error: GraphQLError): GraphqlErrorEntry {
  const cause = error.originalError;
  const type = typeOf(cause);
  if (type === null && cause != null && !(cause instanceof GraphQLError || cause instanceof CutError)) throw cause;
  return {
    ...(type === null ? {} : { type }),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(Object.keys(error.extensions).length === 0 ? {} : { extensions: error.extensions }),
    ...locationsOf(error),
    message: messageOf(error, cause),
  };
}

/** What REST spells out under `errors`, GraphQL says in the message itself. */
function messageOf(error: GraphQLError, cause: Error | undefined): string {
  const details = cause instanceof GitHubError ? (cause.errors ?? []) : [];
  const said = details.flatMap((detail) => (typeof detail === 'string' ? detail : (detail.message ?? [])));
  return said.length === 0 ? error.message : said.join(', ');
}

function typeOf(cause: Error | undefined): string | null {
  if (cause instanceof CutError) return cause.type;
  if (cause instanceof GitHubError) return cause.type;
  return cause instanceof UnmodelledError ? 'POCKET_UNMODELLED' : null;
}

function locationsOf(error: GraphQLError): Pick<GraphqlErrorEntry, 'locations'> {
  return error.locations === undefined
    ? {}
    : { locations: error.locations.map(({ line, column }) => ({ line, column })) };
}

/** A variable whose value does not fit its type. */
export function variableError(error: GraphQLError, given: Readonly<Record<string, unknown>>): GraphqlErrorEntry {
  const definition = error.nodes?.[0];
  if (definition?.kind !== Kind.VARIABLE_DEFINITION) return formatError(error);
  const name = definition.variable.name.value;
  return {
    extensions: { value: given[name] ?? null, problems: [{ path: [], explanation: error.message }] },
    ...locationsOf(error),
    message: `Variable $${name} of type ${print(definition.type)} was provided invalid value`,
  };
}
