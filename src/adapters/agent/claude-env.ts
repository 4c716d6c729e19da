import { join } from 'node:path';

export interface ClaudeEnvOptions {
  readonly home: string;
  /** The value of PATH. */
  readonly path: string;
  /** How often the CLI retries an API request. */
  readonly apiRetries?: number | undefined;
}

/** The CLI's own default is ten tries over three minutes, even with a wrong key. */
const API_RETRIES = 3;

/** Where a run keeps its temporary files: below its home, so that they go with it. */
export const temporaryFolder = (home: string): string => join(home, 'tmp');

/** The whole environment of the CLI; nothing is inherited. */
export function claudeEnv(
  { home, path, apiRetries = API_RETRIES }: ClaudeEnvOptions,
  modelAccess: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    TMPDIR: temporaryFolder(home),
    CLAUDE_CODE_TMPDIR: temporaryFolder(home),
    PATH: path,
    LANG: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    ...modelAccess,
    // A command that takes too long is ended instead of left in the background, and the process ends with its result.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_MAX_RETRIES: String(apiRetries),
    API_TIMEOUT_MS: '120000',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '90000',
    // Lets root skip permission prompts where there is no sandbox to make it another user.
    IS_SANDBOX: '1',
  };
}
