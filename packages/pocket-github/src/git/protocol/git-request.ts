const GIT_SERVICES = ['git-upload-pack', 'git-receive-pack'] as const;

/** `git-upload-pack` serves clone and fetch, `git-receive-pack` push. */
export type GitService = (typeof GIT_SERVICES)[number];

interface GitTarget {
  readonly owner: string;
  /** Repository name, without `.git`. */
  readonly name: string;
}

export type GitRequest = GitTarget &
  (
    | { /** Lists refs: the start of every conversation. */ readonly kind: 'advertise'; readonly service: GitService }
    | { /** Sends or receives a pack. */ readonly kind: 'exchange'; readonly service: GitService }
    | { /** The file-by-file protocol of old clients, which GitHub refuses. */ readonly kind: 'dumb' }
  );

const PATH = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** What a request asks of git smart HTTP; `null` when it is not a git request at all. */
export function parseGitRequest(method: string, url: URL): GitRequest | null {
  const [, owner, name, rest] = PATH.exec(url.pathname) ?? [];
  if (owner === undefined || name === undefined) return null;
  // Owners and repositories are named in letters that need no escape.
  const target = { owner, name };
  if (rest === 'info/refs' && method === 'GET') {
    const service = asService(url.searchParams.get('service'));
    return service === undefined ? { ...target, kind: 'dumb' } : { ...target, kind: 'advertise', service };
  }
  const service = asService(rest);
  return service !== undefined && method === 'POST' ? { ...target, kind: 'exchange', service } : null;
}

const asService = (text: string | null | undefined): GitService | undefined =>
  GIT_SERVICES.find((service) => service === text);
