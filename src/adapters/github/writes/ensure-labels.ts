import { LABELS } from '../../../domain/issue/label.js';
import type { Change } from '../../../domain/action/change.js';
import type { IssueSnapshot } from '../../../domain/state/snapshot.js';
import { z } from 'zod';
import { type SnapshotHints, WRITE_WITHIN_MS } from '../../../ports/github.js';
import type { GitHubApi } from '../client/github-api.js';
import { graphqlFailure, parseAnswer } from '../client/errors.js';
import type { SnapshotReader } from '../snapshot/snapshot-reader.js';
import { createLabelsDocument, stepAlias } from '../queries/queries.js';

type LabelIds = Readonly<Record<string, string>>;

const createdSchema = z.record(
  z.string(),
  z.object({ label: z.object({ id: z.string(), name: z.string() }).nullable() }).nullable(),
);

/** Ids of the labels in the changes. If one is missing, all of ours are created: a repository needs that only once. */
export async function ensureLabels(
  { api, snapshotReader }: { readonly api: GitHubApi; readonly snapshotReader: SnapshotReader },
  snapshot: IssueSnapshot,
  changes: readonly Change[],
  hints: SnapshotHints,
): Promise<LabelIds> {
  const wanted = changes.flatMap((change) => (change.kind === 'labels' ? change.add : []));
  const lacks = (ids: LabelIds): boolean => wanted.some((name) => ids[name] === undefined);
  if (!lacks(snapshot.labelIds)) return snapshot.labelIds;
  const missing = LABELS.filter(({ name }) => snapshot.labelIds[name] === undefined);
  const inputs = missing.map((label, index) => [stepAlias(index), { repositoryId: snapshot.repositoryId, ...label }]);
  const document = createLabelsDocument(missing.length);
  const answer = await api.graphql(snapshot.ref, document, Object.fromEntries(inputs), {
    creations: missing.length,
    notAfter: snapshot.knownAt + WRITE_WITHIN_MS,
  });
  const created = Object.values(parseAnswer('CreateLabels', createdSchema, answer.data ?? {})).flatMap(
    (payload) => payload?.label ?? [],
  );
  const made = { ...snapshot.labelIds, ...Object.fromEntries(created.map(({ name, id }) => [name, id])) };
  if (!lacks(made)) return made;
  // Somebody else created them at the same time, or our earlier answer was lost.
  const fresh = (await snapshotReader.read(snapshot.ref, hints))?.labelIds ?? {};
  if (lacks(fresh)) throw graphqlFailure('CreateLabels', answer.errors);
  return fresh;
}
