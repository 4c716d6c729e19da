import { join } from 'node:path';
import type { Oid } from '../../world/model.js';
import { GitCommands } from '../git-command.js';
import type { GitRepository, RefUpdate } from '../git-repository.js';

const WORKFLOWS = '.github/workflows/';

/** An update through the API, whose objects are in the repository already. */
export function settledUpdate(git: GitRepository, update: RefUpdate): IncomingUpdate {
  return new IncomingUpdate(new GitCommands(git.path), null, update);
}

/** What a pushed ref would bring, asked while its objects are in quarantine: nobody else sees them yet. */
export class IncomingUpdate {
  readonly #git: GitCommands;
  readonly #update: RefUpdate;
  readonly #env: Readonly<Record<string, string>>;

  constructor(git: GitCommands, quarantine: string | null, update: RefUpdate) {
    this.#git = git;
    this.#update = update;
    this.#env =
      quarantine === null
        ? {}
        : { GIT_OBJECT_DIRECTORY: quarantine, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(git.path, 'objects') };
  }

  /** Whether the new value contains the old one. Creating and deleting a ref forces nothing. */
  async isFastForward(): Promise<boolean> {
    const { before, after } = this.#update;
    if (before === null || after === null) return true;
    return this.#git.test(['merge-base', '--is-ancestor', before, after], { env: this.#env });
  }

  /** Whether a merge commit is among the commits that the ref did not have before. */
  async bringsMergeCommit(): Promise<boolean> {
    const { before, after } = this.#update;
    if (after === null) return false;
    const known = before === null ? ['--not', '--branches'] : [`^${before}`];
    const args = ['rev-list', '--merges', '--max-count=1', after, ...known];
    return (await this.#git.text(args, { env: this.#env })) !== '';
  }

  /**
   * A workflow file that the push would create or change, or `null`. A ref that is new is held against the default branch:
   * each of its workflow files must be there with the same content, whoever wrote it and whatever other branches have.
   * Otherwise only commits that no branch has count, and a version that some branch has at the same path is free.
   */
  async changedWorkflow(defaultBranch: string): Promise<string | null> {
    const { before, after } = this.#update;
    if (after === null) return null;
    const changed = await this.#changedByCommits(after);
    return changed ?? (before === null ? this.#unlikeDefault(after, defaultBranch) : null);
  }

  async #unlikeDefault(after: Oid, defaultBranch: string): Promise<string | null> {
    const tip = await this.#git.oidOrNull(['rev-parse', '--verify', '--quiet', `refs/heads/${defaultBranch}^{commit}`]);
    const tree = await this.#git.oidOrNull(['rev-parse', '--verify', '--quiet', `${after}^{tree}`], { env: this.#env });
    // The first branch has nothing to be held against, and a blob or a tag of one has no files.
    if (tip === null || tree === null) return null;
    const known = new Set(await this.#workflowsAt(tip));
    const unlike = (await this.#workflowsAt(tree)).find((file) => !known.has(file));
    return unlike === undefined ? null : unlike.slice(unlike.indexOf(' ') + 1);
  }

  async #changedByCommits(after: Oid): Promise<string | null> {
    const args = [
      'log',
      '--format=',
      '--raw',
      '--no-abbrev',
      '--no-renames',
      '-c',
      '-z',
      after,
      '--not',
      '--branches',
      '--',
      WORKFLOWS,
    ];
    const fields = (await this.#git.text(args, { env: this.#env })).split('\0').filter(Boolean);
    let known: ReadonlySet<string> | null = null;
    for (let at = 0; at < fields.length; at += 2) {
      const blob = fields[at]?.split(' ').at(-2);
      const path = fields[at + 1] ?? '';
      known ??= await this.#workflowsOfBranches();
      if (!known.has(`${blob} ${path}`)) return path;
    }
    return null;
  }

  async #workflowsOfBranches(): Promise<ReadonlySet<string>> {
    const tips: readonly Oid[] = (
      await this.#git.text(['for-each-ref', '--format=%(objectname)', 'refs/heads/'])
    ).split('\n');
    const known = new Set<string>();
    for (const tip of new Set(tips.filter(Boolean))) for (const file of await this.#workflowsAt(tip)) known.add(file);
    return known;
  }

  /** `<blob> <path>` of each workflow file below a commit or tree. */
  async #workflowsAt(treeish: Oid): Promise<readonly string[]> {
    const lines = (await this.#git.text(['ls-tree', '-r', '-z', treeish, WORKFLOWS], { env: this.#env })).split('\0');
    return lines.filter(Boolean).map((line) => line.slice(line.indexOf(' ', 7) + 1).replace('\t', ' '));
  }
}
