import type { RequestEntry } from './journal.js';

/**
 * The most one caller asked for within a minute or an hour: what GitHub's secondary limits are about. GitHub refuses above 80 and 500
 * content-creating requests, and above 900 (REST) and 2,000 (GraphQL) points a minute.
 */
export interface SecondaryLoad {
  readonly actor: string;
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  readonly restPointsPerMinute: number;
  readonly graphqlPointsPerMinute: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const READ_POINTS = 1;
const WRITE_POINTS = 5;
const CREATING = new Set(['POST', 'PUT', 'PATCH']);

/** How a request counts. GitHub does not say what exactly creates content: every change counts here, each field of a mutation for itself. */
export function secondaryCost(
  { surface, method, fields }: Pick<RequestEntry, 'surface' | 'method' | 'fields'>,
  reads: boolean,
): Pick<RequestEntry, 'secondaryPoints' | 'content'> {
  if (surface === 'git') return { secondaryPoints: 0, content: 0 };
  if (surface === 'graphql' && fields.length === 0) return { secondaryPoints: READ_POINTS, content: 0 };
  if (reads) return { secondaryPoints: READ_POINTS, content: 0 };
  const content = surface === 'graphql' ? fields.length : CREATING.has(method) ? 1 : 0;
  return { secondaryPoints: WRITE_POINTS, content };
}

/** By caller, the busiest minute and hour. Making tokens as an App creates no content. */
export function secondaryLoads(requests: readonly RequestEntry[]): readonly SecondaryLoad[] {
  const actors = [...new Set(requests.map(({ actor }) => actor))];
  return actors.map((actor) => {
    const own = requests.filter((entry) => entry.actor === actor);
    const content = (entry: RequestEntry): number => (entry.tokenKind === 'app' ? 0 : entry.content);
    const points = (surface: RequestEntry['surface']) => (entry: RequestEntry) =>
      entry.surface === surface ? entry.secondaryPoints : 0;
    return {
      actor,
      contentPerMinute: most(own, MINUTE_MS, content),
      contentPerHour: most(own, HOUR_MS, content),
      restPointsPerMinute: most(own, MINUTE_MS, points('rest')),
      graphqlPointsPerMinute: most(own, MINUTE_MS, points('graphql')),
    };
  });
}

/** The largest sum within any stretch of that length. */
function most(requests: readonly RequestEntry[], withinMs: number, weight: (entry: RequestEntry) => number): number {
  const sorted = requests.toSorted((a, b) => a.at - b.at);
  let start = 0;
  let sum = 0;
  let largest = 0;
  for (const entry of sorted) {
    sum += weight(entry);
    for (let first = sorted[start]; first !== undefined && first.at <= entry.at - withinMs; first = sorted[start]) {
      sum -= weight(first);
      start += 1;
    }
    largest = Math.max(largest, sum);
  }
  return largest;
}
