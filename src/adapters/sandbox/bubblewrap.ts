import { DEFAULT_SANDBOX_LIMITS } from '../../domain/limits/sandbox-limits.js';
import type { Guard } from '../../domain/render/phrases/sandbox-limits.js';
import type { Sandbox, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { runContained } from './process/run-contained.js';
import { hostSystem } from './host-system.js';
import type { ProcessLimits } from './process/process-tree.js';
import { inMountOrder, mountProblem } from './mounts.js';
import { NamespaceProcessTree } from './process/namespace-process-tree.js';
import { ResourceWatch } from './limits/resource-watch.js';
import type { RunGroups } from './limits/run-groups.js';
import { RunTags } from './process/run-tag.js';
import { seccompFilter } from './seccomp/seccomp-filter.js';

/** Guards that not every bubblewrap version or kernel supports. */
export const OPTIONAL_GUARDS = ['no-new-users', 'seccomp', 'small-tmp'] as const satisfies readonly Guard[];
export type OptionalGuard = (typeof OPTIONAL_GUARDS)[number];

export interface BubblewrapOptions extends ProcessLimits {
  /** The `bwrap` program. */
  readonly program: string;
  /** More of the host to show read-only to every command: where programs live outside /usr. */
  readonly tools?: readonly string[];
  /** Those that work on this machine; all by default. */
  readonly optional?: readonly OptionalGuard[];
  readonly groups?: RunGroups;
}

/** The user inside: the host's user under another number, because some programs refuse to run as root. */
const UID = '1000';

/** Separate namespaces for users, processes, network and the rest: only what is mounted is visible. */
const NAMESPACE_ARGS = [
  ['--unshare-all', '--unshare-user', '--uid', UID, '--gid', UID, '--cap-drop', 'ALL', '--hostname', 'sandbox'],
  ['--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev'],
].flat();

/** Bubblewrap reports the command's status on descriptor 3; it reads the ones after it. */
const STATUS_FD = 3;

/** Files that programs expect in /etc; the host's own are not shown. */
function syntheticFiles(home: string): Readonly<Record<string, string>> {
  return {
    '/etc/passwd': `sluice:x:${UID}:${UID}:Sluice:${home}:/bin/bash\n`,
    '/etc/group': `sluice:x:${UID}:\n`,
    '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
    '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  };
}

/** A sandbox of Linux namespaces: no network, no processes and no files of the host except the mounts. */
export class Bubblewrap implements Sandbox {
  readonly name = 'bubblewrap';
  readonly guards: readonly Guard[];
  readonly #options: BubblewrapOptions;
  readonly #optional: readonly OptionalGuard[];
  readonly #filter: Uint8Array | null;
  readonly #watch = new ResourceWatch();
  readonly #tags = new RunTags();

  constructor(options: BubblewrapOptions) {
    this.#options = options;
    this.#optional = options.optional ?? OPTIONAL_GUARDS;
    this.#filter = this.#optional.includes('seccomp') ? seccompFilter(process.arch) : null;
    const optional = this.#optional.filter((guard) => guard !== 'seccomp' || this.#filter !== null);
    const groups: readonly Guard[] = options.groups === undefined ? [] : ['cgroup'];
    this.guards = ['namespaces', ...optional, 'rlimits', 'watcher', ...groups];
  }

  async run(command: SandboxedCommand): Promise<SandboxResult> {
    const problem = await mountProblem(command.mounts);
    if (problem !== null) return { end: { kind: 'failed', why: problem }, stdout: '', stderr: '', durationMs: 0 };
    const group = (await this.#options.groups?.open(this.#resources)) ?? null;
    const { tag, env } = this.#tags.begin(command.env);
    try {
      // Bubblewrap is process 1 inside and can be inspected there, so it gets the same environment.
      const launch = { file: this.#options.program, env, ...(await this.#arguments(command)) };
      const hold = { ...this.#options, watch: this.#watch, group };
      return await runContained(command, launch, (subprocess) => new NamespaceProcessTree(subprocess, STATUS_FD), hold);
    } finally {
      this.#tags.end(tag);
      await group?.close();
    }
  }

  get #resources() {
    return this.#options.resources ?? DEFAULT_SANDBOX_LIMITS;
  }

  async #arguments(command: SandboxedCommand) {
    const texts = Object.entries(syntheticFiles(command.env['HOME'] ?? '/tmp'));
    const files = texts.map(([path, text]) => ({
      use: (fd: string) => ['--ro-bind-data', fd, path],
      bytes: new TextEncoder().encode(text),
    }));
    const filter = this.#filter === null ? [] : [{ use: (fd: string) => ['--seccomp', fd], bytes: this.#filter }];
    const given = [...filter, ...files];
    const args = [
      NAMESPACE_ARGS,
      this.#optional.includes('no-new-users') ? ['--disable-userns'] : [],
      this.#memoryFolders(),
      await hostSystem(),
      given.flatMap(({ use }, index) => use(String(STATUS_FD + 1 + index))),
      (this.#options.tools ?? []).flatMap((path) => ['--ro-bind', path, path]),
      inMountOrder(command.mounts).flatMap(({ path, access }) => [
        access === 'read' ? '--ro-bind' : '--bind',
        path,
        path,
      ]),
      ['--remount-ro', '/', '--chdir', command.cwd, '--json-status-fd', String(STATUS_FD), '--', ...command.argv],
    ].flat();
    return { args, extraFiles: ['pipe' as const, ...given.map(({ bytes }) => bytes)] };
  }

  /** Folders kept in memory. Bubblewrap's /dev is one, too, and takes whatever is written there. */
  #memoryFolders(): readonly string[] {
    const bytes = String(this.#resources.tmpMb * 1024 * 1024);
    const size = this.#optional.includes('small-tmp') ? ['--size', bytes] : [];
    return [...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev', ...size, '--tmpfs', '/tmp'];
  }

  sweepLeftovers(): number {
    return this.#tags.sweep();
  }
}
