import { parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { MERGE_POLICIES } from '../domain/limits/policy.js';

/** A program's arguments cannot contain the NUL character. */
const command = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .regex(/^[^\0]*$/, 'holds a character no command can hold');

/** A limit, because the search for duplicate keys takes longer with every key. */
const MOST_CHARACTERS = 32 * 1024;

/** Valid branch names. Git has more rules; these prevent that a name is read as something else. */
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\]+(?<!\/|\.lock|\.)$/;

/** A path from the root with `*` for part of a name and `**` for any folders. A leading `!` removes a rule. */
const PROTECTED = /^!?(?![/!])(?!(?:[^*]*\*){9})(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\s\\?[\]{}][^\\?[\]{}\r\n]{0,199}$/;

const repoConfigSchema = z.strictObject({
  /** `false` stops everything in this repository before the next agent starts. */
  enabled: z.boolean().exactOptional(),
  /** Makes a fresh clone ready for work: installs dependencies. */
  setup: command.exactOptional(),
  /** Must succeed before anything is pushed. */
  test: command.exactOptional(),
  /** Checks that must be green before a merge, by name. */
  checks: z.array(z.string().trim().min(1)).max(100).exactOptional(),
  /** `pr`: everything goes through a pull request. `auto`: small issues may land directly if tests or checks guard the base branch. */
  route: z.enum(['auto', 'pr']).exactOptional(),
  /** The branch work starts from and lands on; without it the repository's default branch. */
  base: z.string().regex(BRANCH, 'not a branch name').exactOptional(),
  /** Who merges a pull request that is ready. */
  merge: z.enum(MERGE_POLICIES).exactOptional(),
  /** Files that only people may change, besides those protected by default. */
  protected: z
    .array(z.string().regex(PROTECTED, 'not a path from the root, such as deploy/** or !.claude/**'))
    .max(100)
    .exactOptional(),
});

/** What `.github/sluice.yml` says. */
export type RepoConfig = z.infer<typeof repoConfigSchema>;

export type RepoConfigReading =
  | { readonly kind: 'valid'; readonly config: RepoConfig }
  /** One sentence per problem, all of them. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Parses `.github/sluice.yml`. An empty file is valid. */
export function parseRepoConfig(text: string): RepoConfigReading {
  if (text.length > MOST_CHARACTERS)
    return { kind: 'invalid', problems: [`It is longer than ${MOST_CHARACTERS} characters.`] };
  const document = parseDocument(text);
  const broken = document.errors.map(({ message }) => message.split('\n')[0] ?? message);
  if (broken.length > 0) return { kind: 'invalid', problems: broken };
  if (hasAlias(document)) return { kind: 'invalid', problems: ['Aliases (*name) are not supported.'] };
  const result = repoConfigSchema.safeParse(document.toJS() ?? {});
  if (result.success) return { kind: 'valid', config: result.data };
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { kind: 'invalid', problems };
}

/** Aliases are refused, because a few lines of them can expand to gigabytes. */
function hasAlias(document: ReturnType<typeof parseDocument>): boolean {
  const found = { alias: false };
  visit(document, { Alias: () => void (found.alias = true) });
  return found.alias;
}
