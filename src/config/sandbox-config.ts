import type { z } from 'zod';
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from '../domain/limits/sandbox-limits.js';
import { variable, wholeNumber } from './variable.js';

const limit = (name: keyof SandboxLimits, least: number, most: number) => {
  const byDefault = DEFAULT_SANDBOX_LIMITS[name];
  return variable(
    `use a whole number from ${least} to ${most}; without it, ${byDefault}.`,
    (text = String(byDefault)) => wholeNumber(text, least, most),
  );
};

/** What one command of an issue may use of the machine. The minimum is what the agent itself needs. */
export const sandboxShape = {
  SLUICE_SANDBOX_MEMORY_MB: limit('memoryMb', 512, 1_048_576),
  SLUICE_SANDBOX_PROCESSES: limit('processes', 32, 100_000),
  SLUICE_SANDBOX_DISK_MB: limit('diskMb', 100, 10_485_760),
  SLUICE_SANDBOX_FILES: limit('files', 1_000, 10_000_000),
  SLUICE_SANDBOX_FILE_MB: limit('fileMb', 100, 1_048_576),
  SLUICE_SANDBOX_OPEN_FILES: limit('openFiles', 256, 1_048_576),
  SLUICE_SANDBOX_TMP_MB: limit('tmpMb', 16, 65_536),
  SLUICE_CGROUP: variable('use the absolute path of a cgroup that was delegated to this user.', (text) =>
    text === undefined || text.startsWith('/') ? { path: text } : null,
  ),
};

export function sandboxSettings(values: z.output<z.ZodObject<typeof sandboxShape>>) {
  return {
    sandboxLimits: {
      memoryMb: values.SLUICE_SANDBOX_MEMORY_MB,
      processes: values.SLUICE_SANDBOX_PROCESSES,
      diskMb: values.SLUICE_SANDBOX_DISK_MB,
      files: values.SLUICE_SANDBOX_FILES,
      fileMb: values.SLUICE_SANDBOX_FILE_MB,
      openFiles: values.SLUICE_SANDBOX_OPEN_FILES,
      tmpMb: values.SLUICE_SANDBOX_TMP_MB,
    },
    cgroup: values.SLUICE_CGROUP.path,
  };
}
