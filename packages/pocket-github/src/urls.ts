/** Addresses as GitHub Enterprise Server lays them out: pages and git at the root, REST below /api/v3, GraphQL beside it. */
export interface Urls {
  readonly html: string;
  readonly api: string;
  readonly graphql: string;
}

export const REST_PREFIX = '/api/v3';
export const GRAPHQL_PATH = '/api/graphql';
export const CONTROL_PREFIX = '/_pocket';

export function urlsFor(origin: string): Urls {
  return { html: origin, api: `${origin}${REST_PREFIX}`, graphql: `${origin}${GRAPHQL_PATH}` };
}
