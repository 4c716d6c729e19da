import type { Redact } from './redact.js';

/** Public replacements for paths of this machine. */
const CHECKOUT = '/repository';
const HOME = '/home';
const REST = '/sluice';

/** Replaces the service's own folders in a text, because they reveal details of the host and do not help readers. */
export function hidePaths(folders: readonly string[]): Redact {
  const known = [...new Set(folders.map((folder) => folder.replace(/\/+$/, '')))].filter((folder) => folder.length > 1);
  if (known.length === 0) return (text) => text;
  const any = known
    .sort((one, other) => other.length - one.length)
    .map((folder) => folder.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|');
  // Match whole names only: `/data` is not `/database`.
  const pattern = new RegExp(String.raw`(?:${any})(?:(/clones/[^/\s]+/[^/\s]+/)(clone|home)\b)?(?![\w-])`, 'g');
  return (text) =>
    text.replaceAll(pattern, (_, inClones: string | undefined, part: string | undefined) =>
      inClones === undefined ? REST : part === 'clone' ? CHECKOUT : HOME,
    );
}
