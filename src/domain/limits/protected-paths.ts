/* Files that only people may change: what CI runs, who must review, and what starts programs on people's machines. */

/**
 * Protected unless a repository says otherwise. `CLAUDE.md` and its like are not: they are prose that ordinary work keeps up to date,
 * and they start no program.
 */
export const DEFAULT_PROTECTED = [
  '.github/**',
  // The two other places where GitHub looks for it.
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.circleci/**',
  '.gitlab-ci.yml',
  'Jenkinsfile',
  'azure-pipelines*.yml',
  'azure-pipelines*.yaml',
  '.travis.yml',
  '.buildkite/**',
  'bitbucket-pipelines.yml',
  '.drone.yml',
  '.drone.yaml',
  'appveyor.yml',
  '.appveyor.yml',
  '.cirrus.yml',
  '.semaphore/**',
  '.woodpecker/**',
  '.woodpecker.yml',
  '.woodpecker.yaml',
  '.teamcity/**',
  // Settings and hooks that run on the machine of whoever opens the repository in Claude Code.
  '.claude/**',
  '.mcp.json',
] as const;

/** No configuration can remove these. They could switch the other rules off, or run anything with CI's secrets. */
const ALWAYS_PROTECTED = ['.github/workflows/**', '.github/actions/**', '.github/sluice.yml'];

/** Whether only people may change a path. */
export type IsProtected = (path: string) => boolean;

/** The rules of a repository: the defaults, then its own. The last rule that matches a path decides. */
export function protectedPaths(configured: readonly string[]): IsProtected {
  const rules = [...DEFAULT_PROTECTED, ...configured, ...ALWAYS_PROTECTED].map(ruleOf);
  return (path) => {
    const spelled = plainSpelling(path);
    // An exception matches the exact spelling only. Every spelling that some file system treats as a protected name is protected.
    return rules.findLast(({ pattern, takesAway }) => pattern.test(takesAway ? path : spelled))?.takesAway === false;
  };
}

interface Rule {
  readonly pattern: RegExp;
  readonly takesAway: boolean;
}

function ruleOf(text: string): Rule {
  const takesAway = text.startsWith('!');
  const segments = (takesAway ? text.slice(1) : text.toLowerCase()).split('/').filter((segment) => segment !== '');
  const named = segments.at(-1) === '**' ? segments.slice(0, -1) : segments;
  return { pattern: new RegExp(`^${patternOf(named, takesAway)}$`, 's'), takesAway };
}

/** Matches what a pattern names, everything below it, and a file or link that replaces one of its parent folders. */
function patternOf([first, ...rest]: readonly string[], isException: boolean): string {
  if (first === undefined) return '(?:.*)';
  if (first === '**') return `(?:[^/]+/)*${patternOf(rest, isException)}`;
  const here = isException ? escaped(first) : `(?:${[escaped(first), ...shortNames(first)].join('|')})`;
  if (rest.length === 0) return `${here}(?:/.*)?`;
  const below = `/${patternOf(rest, isException)}`;
  const isPlain = !first.includes('*');
  return isPlain && !isException && rest[0] !== '**' ? `${here}(?:${below})?` : `${here}${below}`;
}

const escaped = (segment: string): string =>
  segment.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll(/\*+/g, '[^/]*');

/** The short names Windows may give a file: `GITHUB~1`, or `GI1A2B~1` when many are similar. */
function shortNames(segment: string): readonly string[] {
  const [stem = '', ending = ''] = segment.replace(/^\.+/, '').split(/\.(?=[^.]*$)/);
  const letters = stem.replaceAll(/[. ]/g, '');
  if (letters.slice(0, 6).includes('*') || letters.length < 2) return [];
  const end = ending === '' ? '' : `\\.${escaped(ending.slice(0, 3))}`;
  return [`${escaped(letters.slice(0, 6))}~\\d+${end}`, `${escaped(letters.slice(0, 2))}[0-9a-f]{4}~\\d+${end}`];
}

/** Invisible characters, which some file systems ignore. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** A path as the most tolerant file system reads it: without case, invisible characters, trailing dots and streams. */
function plainSpelling(path: string): string {
  return path
    .normalize('NFKC')
    .replaceAll(IGNORED, '')
    .toLowerCase()
    .split(/[/\\]/)
    .map((segment) => segment.replace(/:.*$/s, '').replace(/[. ]+$/, ''))
    .filter((segment) => segment !== '')
    .join('/');
}
