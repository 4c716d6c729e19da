import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import { GitHubError } from '../../../ports/github.js';

export type Permissions = Readonly<Record<string, string>>;

/** The minimal permissions for what the service does, even if the App was granted more. */
const NEEDED = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'read',
} as const;

/** The sweep only reads. */
export const READING = { issues: 'read', metadata: 'read', pull_requests: 'read' } as const;

/** Used when granted: the Size field of Projects. */
const WELCOME = { organization_projects: 'read' } as const;

const RANK = ['read', 'write', 'admin'];
const covers = (granted: string | undefined, level: string): boolean =>
  granted !== undefined && RANK.indexOf(granted) >= RANK.indexOf(level);

export type TokenPermissions = typeof NEEDED & Partial<typeof WELCOME>;

/** The permissions to request, given what the installation grants. Fails with what is missing. */
export function permissionsFor(repo: RepoRef, granted: Permissions): TokenPermissions {
  const missing = Object.entries(NEEDED).filter(([name, level]) => !covers(granted[name], level));
  if (missing.length > 0) {
    const names = missing.map(([name, level]) => `${name}: ${level}`).join(', ');
    throw new GitHubError(
      'forbidden',
      `the App's installation for ${formatRepo(repo)} does not grant ${names}; add it to the App and have the installation's owner accept`,
    );
  }
  return covers(granted['organization_projects'], WELCOME.organization_projects) ? { ...NEEDED, ...WELCOME } : NEEDED;
}
