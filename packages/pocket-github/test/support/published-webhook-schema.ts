import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/* Which members GitHub's published webhook schemas require, read off the generated type declarations: there is no other run-time form. */

interface Member {
  readonly required: boolean;
  /** The lines of its type. */
  readonly type: string[];
}

export type Members = ReadonlyMap<string, Member>;

function declarationLines(): readonly string[] {
  const entry = createRequire(import.meta.url).resolve('@octokit/openapi-webhooks-types/package.json');
  return readFileSync(entry.replace('package.json', 'types.d.ts'), 'utf8').split('\n');
}

const LINES = declarationLines();
const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The lines of a named schema, its head included. */
function schemaLines(name: string): readonly string[] {
  const start = LINES.findIndex((line) => line.startsWith(`    "${name}": `) || line.startsWith(`    ${name}: `));
  if (start < 0) return [];
  const length = LINES.slice(start + 1).findIndex((line) => indentOf(line) === 4 && !/^ {4}[|&}]/.test(line));
  return LINES.slice(start, start + 1 + length);
}

/** The members of an object type given as lines. Of an intersection a member is required when any part requires it. */
function membersIn(lines: readonly string[]): Members {
  const [head = ''] = lines;
  const members = new Map<string, Member>();
  const add = (name: string, member: Member): Member => {
    const required = member.required || members.get(name)?.required === true;
    members.set(name, { ...member, required });
    return member;
  };
  for (const reference of isAlias(lines) ? referencesIn(lines, indentOf(head) + 4) : []) {
    for (const [name, member] of membersIn(schemaLines(reference))) add(name, member);
  }
  const depth = indentOf(head) + 2;
  let current: Member | undefined;
  for (const line of lines.slice(1)) {
    const match = indentOf(line) === depth ? /^\s+"?([\w-]+)"?(\??): ?/.exec(line) : null;
    if (match !== null) current = add(match[1] ?? '', { required: match[2] === '', type: [line] });
    else if (indentOf(line) > depth || /^\s+[|&}]/.test(line)) current?.type.push(line);
  }
  return members;
}

function referencesIn(lines: readonly string[], deepest: number): readonly string[] {
  const shallow = lines.filter((line) => indentOf(line) <= deepest).join('\n');
  return [...shallow.matchAll(/components\["schemas"\]\["([^"]+)"\]/g)].map((match) => match[1] ?? '');
}

/** Whether the type is another schema (`issue: components[…]`), alone or with additions, rather than members of its own. */
function isAlias(lines: readonly string[]): boolean {
  const [head = '', next = ''] = lines;
  return (
    /: components\["schemas"\]/.test(head) || /^\s+[|&]? ?components\["schemas"\]/.test(next) || /^\s+[|(&]/.test(next)
  );
}

export function membersOfSchema(name: string): Members {
  return membersIn(schemaLines(name));
}

/** The members of the object a member holds. */
export function membersOfMember(members: Members, name: string): Members {
  return membersIn(members.get(name)?.type ?? []);
}
