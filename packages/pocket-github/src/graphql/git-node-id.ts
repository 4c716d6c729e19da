import type { Oid } from '../world/model.js';

/* Git objects have no record; their node ids say which object of which repository. */

const PREFIXES = { Commit: 'C', Tree: 'T', Blob: 'B', Tag: 'TA' } as const;

export type GitTypename = keyof typeof PREFIXES;

export function formatGitNodeId(typename: GitTypename, repositoryId: number, oid: Oid): string {
  return `${PREFIXES[typename]}_kwDO${repositoryId.toString(36).padStart(8, '0')}${oid}`;
}

export interface GitNodeId {
  readonly typename: GitTypename;
  readonly repositoryId: number;
  readonly oid: Oid;
}

export function parseGitNodeId(text: string): GitNodeId | null {
  const [, prefix, repositoryId = '', oid = ''] = /^([A-Z]+)_kwDO([0-9a-z]{8,})([0-9a-f]{40})$/.exec(text) ?? [];
  const typename = (Object.keys(PREFIXES) as GitTypename[]).find((name) => PREFIXES[name] === prefix);
  return typename === undefined ? null : { typename, repositoryId: Number.parseInt(repositoryId, 36), oid };
}
