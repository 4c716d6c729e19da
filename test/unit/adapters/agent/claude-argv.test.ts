import { expect, test } from '@jest/globals';
import { claudeArgv } from '../../../../src/adapters/agent/claude-argv.js';
import { claudeEnv } from '../../../../src/adapters/agent/claude-env.js';

const SCHEMA = { type: 'object', properties: { nonce: { type: 'string' } } };
const INVOCATION = {
  claude: '/opt/claude',
  plugin: '/opt/skills',
  session: { id: '5f1b2c3d-0000-4000-8000-000000000001', isResumed: false },
  settingSources: 'none',
  schema: SCHEMA,
  model: { id: 'claude-opus-5-5', fallback: 'claude-sonnet-5-5', windowTokens: 200_000 },
  maxTurns: 40,
  budgetUsd: 1.5,
} as const;

test('the CLI is called with exactly these arguments', () => {
  expect(claudeArgv(INVOCATION)).toEqual([
    '/opt/claude',
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--include-partial-messages',
    '--session-id',
    '5f1b2c3d-0000-4000-8000-000000000001',
    '--max-turns',
    '40',
    '--max-budget-usd',
    '1.5',
    '--model',
    'claude-opus-5-5',
    '--fallback-model',
    'claude-sonnet-5-5',
    '--setting-sources',
    '',
    '--strict-mcp-config',
    '--plugin-dir',
    '/opt/skills',
    '--json-schema',
    '{"type":"object","properties":{"nonce":{"type":"string"}}}',
    '--disallowedTools=ScheduleWakeup,Workflow,CronCreate,CronDelete,CronList,Monitor,SendMessage,ListAgents,EnterWorktree,ExitWorktree,ReportFindings,WebFetch,WebSearch',
    '--dangerously-skip-permissions',
  ]);
});

test('without a model the CLI chooses, without a budget there is none, and trusted settings can be used', () => {
  const model = { id: null, fallback: null, windowTokens: 200_000 };
  const argv = claudeArgv({ ...INVOCATION, model, budgetUsd: null, settingSources: 'project' });
  for (const option of ['--model', '--fallback-model', '--max-budget-usd']) expect(argv).not.toContain(option);
  expect(argv[argv.indexOf('--setting-sources') + 1]).toBe('project');
});

test('a session is begun by its id or gone on with, never both', () => {
  const argv = claudeArgv({ ...INVOCATION, session: { ...INVOCATION.session, isResumed: true } });
  expect(argv[argv.indexOf('--resume') + 1]).toBe(INVOCATION.session.id);
  expect(argv).not.toContain('--session-id');
});

test('the CLI gets exactly this environment', () => {
  const access = { ANTHROPIC_API_KEY: 'token', ANTHROPIC_BASE_URL: 'http://localhost' };
  expect(claudeEnv({ home: '/runs/1/home', path: '/usr/bin:/bin' }, access)).toEqual({
    HOME: '/runs/1/home',
    CLAUDE_CONFIG_DIR: '/runs/1/home/.claude',
    TMPDIR: '/runs/1/home/tmp',
    CLAUDE_CODE_TMPDIR: '/runs/1/home/tmp',
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    ANTHROPIC_API_KEY: 'token',
    ANTHROPIC_BASE_URL: 'http://localhost',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_MAX_RETRIES: '3',
    API_TIMEOUT_MS: '120000',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '90000',
    IS_SANDBOX: '1',
  });
});
