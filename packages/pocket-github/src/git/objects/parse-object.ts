import type { Oid } from '../../world/model.js';
import type { GitCommit, GitPerson, GitTag } from '../git-repository.js';

/** A commit or tag as git stores it: `key value` lines (continued by a leading blank), an empty line, the message. */
function splitHeaders(content: Buffer): {
  readonly headers: readonly (readonly [string, string])[];
  readonly message: string;
} {
  const text = content.toString();
  const end = text.indexOf('\n\n');
  const head = end === -1 ? text.trimEnd() : text.slice(0, end);
  const headers = head
    .split('\n')
    .filter((line) => !line.startsWith(' '))
    .map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)] as const;
    });
  return { headers, message: end === -1 ? '' : text.slice(end + 2) };
}

function parsePerson(line: string): GitPerson {
  const [, name = '', email = '', seconds = '0', zone = '+0000'] =
    /^(.*?) ?<(.*)> (-?\d+) ([+-]\d{4})$/.exec(line) ?? [];
  return { name, email, at: Number(seconds) * 1000, zone };
}

export function parseCommit(oid: Oid, content: Buffer): GitCommit {
  const { headers, message } = splitHeaders(content);
  const value = (key: string): string => headers.find(([name]) => name === key)?.[1] ?? '';
  return {
    oid,
    tree: value('tree'),
    parents: headers.filter(([name]) => name === 'parent').map(([, parent]) => parent),
    author: parsePerson(value('author')),
    committer: parsePerson(value('committer')),
    message,
  };
}

export function parseTag(content: Buffer): GitTag {
  const { headers, message } = splitHeaders(content);
  const value = (key: string): string | undefined => headers.find(([name]) => name === key)?.[1];
  const tagger = value('tagger');
  return {
    name: value('tag') ?? '',
    target: value('object') ?? '',
    targetType: (value('type') ?? 'commit') as GitTag['targetType'],
    tagger: tagger === undefined ? null : parsePerson(tagger),
    message,
  };
}

/** One line of a tree, before anybody asked for its size. */
export interface TreeLine {
  readonly path: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: Oid;
}

export const typeOfMode = (mode: string): TreeLine['type'] =>
  mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';

/** A tree object is a run of `<mode> <name>\0<20 bytes of id>`. */
export function parseTree(content: Buffer): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const nul = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space).padStart(6, '0');
    at = nul + 21;
    const oid = content.toString('hex', nul + 1, at);
    lines.push({ path: content.toString('utf8', space + 1, nul), mode, type: typeOfMode(mode), oid });
  }
  return lines;
}
