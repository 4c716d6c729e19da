import { GraphqlResponseError } from '@octokit/graphql';

interface RestRefusal {
  readonly status: number;
  readonly message: string;
  /** The entries GitHub adds to a 422. */
  readonly errors?: readonly unknown[];
}

/** How a REST request was refused; fails when it was not. */
export async function refusalOf(request: Promise<unknown>): Promise<RestRefusal> {
  try {
    await request;
  } catch (error) {
    const { status, response } = error as {
      status: number;
      response: { data: { message: string; errors?: unknown[] } };
    };
    const { message, errors } = response.data;
    return errors === undefined ? { status, message } : { status, message, errors };
  }
  throw new Error('the request was not refused');
}

/** The errors of a GraphQL document, as `TYPE: message`; fails when it had none. */
export async function errorsOf(request: Promise<unknown>): Promise<string[]> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof GraphqlResponseError)) throw error;
    return (error.errors ?? []).map(({ type, message }) => `${type}: ${message}`);
  }
  throw new Error('the document had no errors');
}
