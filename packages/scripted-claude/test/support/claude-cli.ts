import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach } from '@jest/globals';
import { execa } from 'execa';
import { z } from 'zod';
import type { ScriptedModel } from '../../src/scripted-model.js';

const resultEvent = z.looseObject({
  type: z.literal('result'),
  is_error: z.boolean(),
  terminal_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  api_error: z.string().nullish(),
  result: z.string().nullish(),
  structured_output: z.unknown().optional(),
  session_id: z.string(),
  usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
});

interface ClaudeRun {
  readonly exitCode: number | undefined;
  readonly sessionId: string;
  /** Every line of the stream, and of those the last result. */
  readonly events: readonly Record<string, unknown>[];
  readonly result: z.infer<typeof resultEvent>;
}

export interface ClaudeOptions {
  readonly prompt: string;
  readonly args?: readonly string[];
  readonly credential?: 'api-key' | 'oauth';
  readonly maxRetries?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Claude {
  /** Where it works. */
  readonly directory: string;
  run(model: Pick<ScriptedModel, 'url'>, options: ClaudeOptions): Promise<ClaudeRun>;
}

/** The real CLI with a home and a working directory of its own, both removed after the test. */
export function claudeStarter(): () => Promise<Claude> {
  const roots: string[] = [];
  afterEach(async () => {
    await Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true, force: true })));
  });
  return async () => {
    const root = await mkdtemp(join(tmpdir(), 'scripted-model-'));
    roots.push(root);
    const directory = join(root, 'work');
    const home = join(root, 'home');
    await Promise.all([mkdir(directory), mkdir(home)]);
    return { directory, run: (model, options) => runClaude(model, options, { directory, home }) };
  };
}

async function runClaude(
  model: Pick<ScriptedModel, 'url'>,
  options: ClaudeOptions,
  { directory, home }: { directory: string; home: string },
): Promise<ClaudeRun> {
  const sessionId = randomUUID();
  const args = ['-p', options.prompt, '--output-format', 'stream-json', '--verbose', '--session-id', sessionId];
  const policy = ['--setting-sources', 'project', '--strict-mcp-config', '--dangerously-skip-permissions'];
  const { exitCode, stdout } = await execa(
    resolve('node_modules/.bin/claude'),
    [...args, ...policy, ...(options.args ?? [])],
    {
      cwd: directory,
      env: { ...environment(model, options, home), ...options.env },
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
    },
  );
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const result = resultEvent.parse(events.findLast((event) => event['type'] === 'result'));
  return { exitCode, sessionId, events, result };
}

/** All the CLI may know: nothing of the machine's own settings reaches it. */
function environment(model: Pick<ScriptedModel, 'url'>, options: ClaudeOptions, home: string): Record<string, string> {
  const secret = options.credential === 'oauth' ? 'CLAUDE_CODE_OAUTH_TOKEN' : 'ANTHROPIC_API_KEY';
  return {
    HOME: home,
    TMPDIR: home,
    PATH: process.env['PATH'] ?? '',
    [secret]: 'sk-ant-test',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_MAX_RETRIES: String(options.maxRetries ?? 0),
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    // Lets root skip permission prompts; without effect for others.
    IS_SANDBOX: '1',
  };
}
