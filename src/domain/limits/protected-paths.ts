/* Which files only people change: what CI runs, who must review, and what makes programs run on the machines of people. */

/**
 * Protected unless a repository says otherwise. `CLAUDE.md` and its like are not: they are prose that ordinary work keeps up to date,
 * and they start no program.
 */
export const DEFAULT_PROTECTED = [
  '.github/**',
  // The other two places in which GitHub looks for it.
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

/** No configuration takes these away: whoever could change them could switch the rest off, or run anything with CI's secrets. */
const ALWAYS_PROTECTED = ['.github/workflows/**', '.github/actions/**', '.github/sluice.yml'];

/** Whether a path is one of those only people change. */
export type IsProtected = (path: string) => boolean;

/** The rules of a repository: the defaults, then its own. The last one that names a path decides. */
export function protectedPaths(configured: readonly string[]): IsProtected {
  const rules = [...DEFAULT_PROTECTED, ...configured, ...ALWAYS_PROTECTED].map(ruleOf);
  return (path) => {
    const spelled = plainSpelling(path);
    // An exception holds for the very spelling only; whatever some system takes for a protected name is protected.
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

/** What a pattern names, everything below it, and a file or link in the place of a folder on the way to it. */
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

/** The eight letters Windows may know a name by: `GITHUB~1`, or `GI1A2B~1` where there are many alike. */
function shortNames(segment: string): readonly string[] {
  const [stem = '', ending = ''] = segment.replace(/^\.+/, '').split(/\.(?=[^.]*$)/);
  const letters = stem.replaceAll(/[. ]/g, '');
  if (letters.slice(0, 6).includes('*') || letters.length < 2) return [];
  const end = ending === '' ? '' : `\\.${escaped(ending.slice(0, 3))}`;
  return [`${escaped(letters.slice(0, 6))}~\\d+${end}`, `${escaped(letters.slice(0, 2))}[0-9a-f]{4}~\\d+${end}`];
}

/** Not shown, and skipped by the file systems of some machines. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** A path as the least particular file system reads it: without case, invisible letters, endings in dots, and streams. */
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
