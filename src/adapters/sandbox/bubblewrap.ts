import type { Sandbox, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { runContained } from './contained-process.js';
import { hostSystem } from './host-system.js';
import type { Limits } from './leash.js';
import { inMountOrder, mountProblem } from './mounts.js';
import { NamespaceLeash } from './namespace-leash.js';
import { sweepTagged } from './run-tag.js';

export interface BubblewrapOptions extends Limits {
  /** The `bwrap` program. */
  readonly program: string;
  /** More of the host to show read-only to every command: where programs live outside /usr. */
  readonly tools?: readonly string[];
}

/** Who a process inside is: the host's user under another number, so that nothing refuses to run as root. */
const UID = '1000';

/** Namespaces of their own for users, processes, network and the rest: a view with nothing of the host but what is mounted. */
const WALLS = [
  ['--unshare-all', '--unshare-user', '--uid', UID, '--gid', UID, '--cap-drop', 'ALL', '--hostname', 'sandbox'],
  ['--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
].flat();

/** Descriptor 3 tells us what became of the command; those after it are the files below. */
const STATUS_FD = 3;

/** Files programs expect in /etc; the host's own are none of their business. */
function syntheticFiles(home: string): Readonly<Record<string, string>> {
  return {
    '/etc/passwd': `sluice:x:${UID}:${UID}:Sluice:${home}:/bin/bash\n`,
    '/etc/group': `sluice:x:${UID}:\n`,
    '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
    '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  };
}

/** Walls by Linux namespaces: no network, no processes, no files of the host but the mounts. */
export class Bubblewrap implements Sandbox {
  readonly name = 'bubblewrap';
  readonly #options: BubblewrapOptions;

  constructor(options: BubblewrapOptions) {
    this.#options = options;
  }

  async run(command: SandboxedCommand): Promise<SandboxResult> {
    const problem = await mountProblem(command.mounts);
    if (problem !== null) return { end: { kind: 'failed', why: problem }, stdout: '', stderr: '', durationMs: 0 };
    const files = Object.entries(syntheticFiles(command.env['HOME'] ?? '/tmp'));
    const args = [
      WALLS,
      await hostSystem(),
      files.flatMap(([path], index) => ['--ro-bind-data', String(STATUS_FD + 1 + index), path]),
      (this.#options.tools ?? []).flatMap((path) => ['--ro-bind', path, path]),
      inMountOrder(command.mounts).flatMap(({ path, access }) => [
        access === 'read' ? '--ro-bind' : '--bind',
        path,
        path,
      ]),
      ['--remount-ro', '/', '--chdir', command.cwd, '--json-status-fd', String(STATUS_FD), '--', ...command.argv],
    ].flat();
    const contents = files.map(([, text]) => new TextEncoder().encode(text));
    // Bubblewrap itself can be looked at from inside (it is process 1 there), so it gets the same environment.
    const launch = { file: this.#options.program, args, env: command.env, extraFiles: ['pipe' as const, ...contents] };
    return runContained(command, launch, (subprocess) => new NamespaceLeash(subprocess, STATUS_FD), this.#options);
  }

  sweepLeftovers(): number {
    // What runs inside dies with us; these are from a time without walls.
    return sweepTagged(() => true);
  }
}
