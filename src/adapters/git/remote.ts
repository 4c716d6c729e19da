import type { Oid, RepoRef } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import type { Git, GitEnd } from './git-process.js';

export interface RemoteOptions {
  readonly git: Git;
  readonly remoteUrl: (repo: RepoRef) => string;
  readonly token: (repo: RepoRef) => Promise<string | null>;
}

/** The repository on GitHub, as git sees it. */
export interface Remote {
  /** Runs git with our credential. Any exit code is a normal return. */
  run(repo: RepoRef, path: string, args: (url: string) => readonly string[]): Promise<GitEnd>;
  /** Like `run`, but a failure is an error. */
  must(repo: RepoRef, path: string, args: (url: string) => readonly string[]): Promise<string>;
  /** The current oids of refs; missing refs are left out. */
  refs(repo: RepoRef, path: string, names: readonly string[]): Promise<ReadonlyMap<string, Oid>>;
}

export function createRemote({ git, remoteUrl, token }: RemoteOptions): Remote {
  const run: Remote['run'] = async (repo, path, args) => {
    const credential = await token(repo);
    const config = credential === null ? {} : { 'http.extraHeader': authorization(credential) };
    return git(path, args(remoteUrl(repo)), { config });
  };
  const must: Remote['must'] = async (repo, path, args) => {
    const { exitCode, stdout, stderr } = await run(repo, path, args);
    if (exitCode !== 0) throw failureOf(stderr);
    return stdout.toString();
  };
  return {
    run,
    must,
    refs: async (repo, path, names) => {
      const lines = await must(repo, path, (url) => ['ls-remote', url, ...names]);
      const found = lines.split('\n').flatMap((line) => {
        const [oid = '', name = ''] = line.split('\t');
        // git matches the end of names: refs/heads/x also finds refs/heads/refs/heads/x.
        return names.some((wanted) => isMeant(wanted, name)) ? [[name, oid] as const] : [];
      });
      return new Map(found);
    },
  };
}

/** A name that ends in `/*` matches everything below that folder. */
const isMeant = (wanted: string, name: string): boolean =>
  wanted === name || (wanted.endsWith('/*') && name.startsWith(wanted.slice(0, -1)));

const authorization = (token: string): string =>
  `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;

/** Git has no error codes for access problems, only these sentences. All other failures may be temporary. */
const DENIED = /^fatal: (?:repository '.*' not found|unable to access '.*': The requested URL returned error: 403)/m;

/** The error for a failed git command against GitHub. */
export function failureOf(stderr: string): GitHostError {
  return new GitHostError(
    `GitHub did not answer git as it should: ${stderr || 'no message'}`,
    isDenial(stderr) ? 'permanent' : 'transient',
  );
}

/** Whether GitHub denied access before anything was sent. */
export const isDenial = (stderr: string): boolean => DENIED.test(stderr);
