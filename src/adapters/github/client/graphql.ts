import { GraphqlResponseError } from '@octokit/graphql';
import type { Octokit } from '@octokit/rest';
import type { Instant } from '../../../ports/clock.js';
import type { GraphqlError } from './errors.js';
import type { RequestContext } from './rules/rule.js';

type Data = Readonly<Record<string, unknown>> | null;

/** The answer to a document. There may be data although some parts failed. */
export interface GraphqlAnswer {
  readonly data: Data;
  readonly errors: readonly GraphqlError[];
  /** GitHub's clock. */
  readonly at: Instant;
}

/** Sends a document. Errors come together with the data, because most callers can use a part of it. */
export async function sendGraphql(
  octokit: Octokit,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  context: RequestContext,
): Promise<GraphqlAnswer> {
  let at = Number.NaN;
  const onAnswer: RequestContext['onAnswer'] = (answer) => {
    at = answer.at;
  };
  try {
    const data = await octokit.graphql<Data>(query, { ...variables, request: { context: { ...context, onAnswer } } });
    return { data, errors: [], at };
  } catch (error) {
    if (!(error instanceof GraphqlResponseError)) throw error;
    const { data, errors = [] } = error as GraphqlResponseError<Data>;
    return { data, errors, at };
  }
}
