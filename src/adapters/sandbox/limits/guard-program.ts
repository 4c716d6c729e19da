import { type SandboxLimits, THREADS_PER_PROCESS } from '../../../domain/limits/sandbox-limits.js';

/**
 * Runs before anything else does, in the very process that becomes it: the kernel ends this one first when memory runs out; no dumps;
 * no file larger, and no more files open, than allowed (where less is allowed already, that stays). Not more processes, either, but
 * root is not held to that; shells differ in what they call it. Then nothing of the shell itself is left in the environment.
 */
const ENTER = `
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0 2>/dev/null
ulimit -f "$1" 2>/dev/null
ulimit -n "$2" 2>/dev/null
ulimit -u "$3" 2>/dev/null || ulimit -p "$3" 2>/dev/null
if [ -n "$4" ]; then echo $$ > "$4/cgroup.procs" || exit 125; fi
shift 4
unset PWD OLDPWD SHLVL
exec "$@"
`;

/** The shell counts the size of files in these. */
const BLOCKS_PER_MB = 2048;

interface GuardedProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** The program with what the kernel itself holds it to. */
export function guardProgram(
  program: string,
  args: readonly string[],
  { fileMb, openFiles, processes }: Pick<SandboxLimits, 'fileMb' | 'openFiles' | 'processes'>,
  group: string | null,
): GuardedProgram {
  const numbers = [fileMb * BLOCKS_PER_MB, openFiles, processes * THREADS_PER_PROCESS].map(String);
  return { file: '/bin/sh', args: ['-c', ENTER, 'sh', ...numbers, group ?? '', program, ...args] };
}
