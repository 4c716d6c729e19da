import { type graphql, GraphqlResponseError } from '@octokit/graphql';

/** One entry of `errors`, as it came over the wire. */
export interface WireError {
  readonly type?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Record<string, unknown>;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

export interface GraphqlAnswer<T> {
  readonly data: T | null | undefined;
  readonly errors: readonly WireError[];
}

/** Runs a document and gives back data and errors alike; the client alone throws at the first error. */
export async function askGraphql<T>(
  client: typeof graphql,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer<T>> {
  try {
    return { data: await client<T>(query, variables), errors: [] };
  } catch (error) {
    if (!(error instanceof GraphqlResponseError)) throw error;
    return { data: error.data as T | null | undefined, errors: (error.errors ?? []) as readonly WireError[] };
  }
}
