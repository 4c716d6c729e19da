import type { Redact } from './redact.js';

/** What a path of the machine is called where everybody can read it. The checkout of a run is all that matters to them. */
const CHECKOUT = '/repository';
const HOME = '/home';
const REST = '/sluice';

/** Takes the folder the service keeps its things in out of a text: it says nothing about the repository, and much about the host. */
export function hidePaths(folders: readonly string[]): Redact {
  const known = [...new Set(folders.map((folder) => folder.replace(/\/+$/, '')))].filter((folder) => folder.length > 1);
  if (known.length === 0) return (text) => text;
  const any = known
    .sort((one, other) => other.length - one.length)
    .map((folder) => folder.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|');
  // Nothing that only begins with the same letters: `/data` is not `/database`.
  const pattern = new RegExp(String.raw`(?:${any})(?:(/clones/[^/\s]+/[^/\s]+/)(clone|home)\b)?(?![\w-])`, 'g');
  return (text) =>
    text.replaceAll(pattern, (_, inClones: string | undefined, part: string | undefined) =>
      inClones === undefined ? REST : part === 'clone' ? CHECKOUT : HOME,
    );
}
