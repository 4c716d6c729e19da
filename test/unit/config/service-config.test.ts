import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { gitHubUrls, isLoopback } from '../../../src/config/github-urls.js';
import { type ConfigHost, readGitHubSettings, readServiceSettings } from '../../../src/config/service-config.js';
import { DEFAULT_SANDBOX_LIMITS } from '../../../src/domain/limits/sandbox-limits.js';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

const HOST: ConfigHost = {
  readFile: (path) => (path === '/keys/app.pem' ? privateKey : null),
  isProgram: (path) => path === '/opt/claude',
  claude: '/opt/claude',
};

const ENOUGH = {
  APP_ID: '17',
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: 'hush',
  ANTHROPIC_API_KEY: 'sk-ant-1',
  HOME: '/home/ada',
};

function settings(env: Record<string, string>) {
  const reading = readServiceSettings(env, HOST);
  if (reading.kind === 'invalid') throw new Error(reading.problems.join('\n'));
  return reading.settings;
}

function problems(env: Record<string, string>, host = HOST): readonly string[] {
  const reading = readServiceSettings(env, host);
  return reading.kind === 'valid' ? [] : reading.problems;
}

describe('the service’s environment', () => {
  test('the least there has to be is filled up with defaults', () => {
    expect(settings(ENOUGH)).toMatchObject({
      apiUrl: 'https://api.github.com',
      gitUrl: 'https://github.com',
      app: { id: 17 },
      webhookSecrets: ['hush'],
      maxWebhookBytes: 26_214_400,
      model: { url: new URL('https://api.anthropic.com'), credential: { kind: 'api-key', value: 'sk-ant-1' } },
      redisUrl: undefined,
      claude: '/opt/claude',
      folder: '/home/ada/.cache/sluice',
      host: '127.0.0.1',
      port: 3000,
      api: { kind: 'on', token: null },
      models: { heavy: null, medium: null, light: null, fallback: null },
      budgets: { issueUsd: null, repoDayUsd: 100, serviceDayUsd: 300 },
      stoppedBecause: null,
    });
  });

  test('models, budgets and the switch that stops everything can be set', () => {
    const env = {
      SLUICE_MODEL_HEAVY: 'claude-opus-5-5',
      SLUICE_MODEL_MEDIUM: 'claude-sonnet-4-5[1m]',
      SLUICE_MODEL_LIGHT: 'haiku',
      SLUICE_MODEL_FALLBACK: 'eu.gateway/claude-haiku@5:1',
      SLUICE_BUDGET_ISSUE: '7.5',
      SLUICE_BUDGET_REPO_DAY: '25',
      SLUICE_BUDGET_SERVICE_DAY: '1000',
      SLUICE_KILL_SWITCH: 'on',
    };
    expect(settings({ ...ENOUGH, ...env })).toMatchObject({
      models: {
        heavy: 'claude-opus-5-5',
        medium: 'claude-sonnet-4-5[1m]',
        light: 'haiku',
        fallback: 'eu.gateway/claude-haiku@5:1',
      },
      budgets: { issueUsd: 7.5, repoDayUsd: 25, serviceDayUsd: 1000 },
      stoppedBecause: 'SLUICE_KILL_SWITCH is on',
    });
  });

  test('what commands may take of the machine can be set', () => {
    const env = {
      SLUICE_SANDBOX_MEMORY_MB: '8192',
      SLUICE_SANDBOX_FILES: '1000',
      SLUICE_CGROUP: '/sys/fs/cgroup/sluice',
    };
    expect(settings(ENOUGH)).toMatchObject({ sandboxLimits: DEFAULT_SANDBOX_LIMITS, cgroup: undefined });
    expect(settings({ ...ENOUGH, ...env })).toMatchObject({
      sandboxLimits: { ...DEFAULT_SANDBOX_LIMITS, memoryMb: 8192, files: 1000 },
      cgroup: '/sys/fs/cgroup/sluice',
    });
  });

  test('who is served and how much may be asked for can be set', () => {
    const env = {
      SLUICE_REPOSITORIES: 'ada/garden, wren/*',
      SLUICE_STARTS_PER_HOUR: '20',
      SLUICE_COMMANDS_PER_HOUR: '5',
      SLUICE_OPEN_PULLS: '3',
      SLUICE_TRANSCRIPTS: 'failed',
    };
    expect(settings({ ...ENOUGH, ...env })).toMatchObject({
      repositories: ['ada/garden', 'wren/*'],
      requestQuota: { startsPerHour: 20, commandsPerHour: 5 },
      limits: { maxOpenPulls: 3 },
      transcripts: 'failed',
    });
  });

  test('while the webhook secret is being changed, both hold', () => {
    expect(settings({ ...ENOUGH, WEBHOOK_SECRET_PREVIOUS: 'whisper' }).webhookSecrets).toEqual(['hush', 'whisper']);
    expect(settings({ ...ENOUGH, WEBHOOK_SECRET_PREVIOUS: ' ' }).webhookSecrets).toEqual(['hush']);
  });

  test('every problem of an empty environment is named at once, each with its remedy', () => {
    const said = problems({}, { ...HOST, claude: null });
    expect(said).toEqual([
      expect.stringMatching(/^APP_ID is missing: set it to the number/),
      expect.stringMatching(/^PRIVATE_KEY is missing: set PRIVATE_KEY to .* or PRIVATE_KEY_PATH to its file\.$/),
      expect.stringMatching(/^WEBHOOK_SECRET is missing: /),
      'ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN: neither is set; set one of them.',
      expect.stringMatching(/^SLUICE_CLAUDE is missing: /),
    ]);
  });

  test.each([
    ['APP_ID', 'seventeen'],
    ['APP_ID', '0'],
    ['SLUICE_WEBHOOK_MAX_BYTES', '1000'],
    ['SLUICE_WEBHOOK_MAX_BYTES', '26214401'],
    ['PRIVATE_KEY', 'not a key'],
    ['GITHUB_API_URL', 'http://github.example/api/v3'],
    ['GITHUB_API_URL', 'https://github.com'],
    ['SLUICE_SIGNING_KEY', 'short'],
    ['SLUICE_SIGNING_KEY', 'a-long-enough-secret,another-long-secret,a-third-long-secret'],
    ['ANTHROPIC_BASE_URL', 'api.anthropic.com'],
    ['SLUICE_REDIS_URL', 'http://127.0.0.1:6379'],
    ['SLUICE_CLAUDE', '/nowhere/claude'],
    ['SLUICE_FOLDER', 'somewhere'],
    ['SLUICE_FOLDER', `/${'x'.repeat(100)}`],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['SLUICE_MODEL_HEAVY', '--dangerous'],
    ['SLUICE_MODEL_FALLBACK', 'two models'],
    ['SLUICE_BUDGET_ISSUE', '0'],
    ['SLUICE_BUDGET_ISSUE', '-5'],
    ['SLUICE_BUDGET_REPO_DAY', '$25'],
    ['SLUICE_BUDGET_SERVICE_DAY', 'Infinity'],
    ['SLUICE_KILL_SWITCH', 'maybe'],
    ['SLUICE_REPOSITORIES', 'ada'],
    ['SLUICE_REPOSITORIES', 'ada/garden wren/quay'],
    ['SLUICE_STARTS_PER_HOUR', '0'],
    ['SLUICE_COMMANDS_PER_HOUR', 'many'],
    ['SLUICE_OPEN_PULLS', '-1'],
    ['SLUICE_TRANSCRIPTS', 'some'],
    ['SLUICE_SANDBOX_MEMORY_MB', '64'],
    ['SLUICE_SANDBOX_PROCESSES', '1e3'],
    ['SLUICE_SANDBOX_DISK_MB', '0'],
    ['SLUICE_SANDBOX_FILES', '-5'],
    ['SLUICE_SANDBOX_FILE_MB', '99999999999'],
    ['SLUICE_SANDBOX_OPEN_FILES', 'unlimited'],
    ['SLUICE_SANDBOX_TMP_MB', '1.5'],
    ['SLUICE_CGROUP', 'sluice.slice'],
  ])('%s=%s is refused', (name, value) => {
    expect(problems({ ...ENOUGH, [name]: value })).toEqual([expect.stringMatching(`^${name} is not usable: `)]);
  });

  test('what is refused is not repeated: it may be a secret', () => {
    const said = problems({ ...ENOUGH, PRIVATE_KEY: 'c2VjcmV0', SLUICE_SIGNING_KEY: 'c2VjcmV0' });
    expect(said).toHaveLength(2);
    expect(said.join()).not.toContain('c2VjcmV0');
  });

  test('a variable that is set to nothing is not set', () => {
    expect(settings({ ...ENOUGH, PORT: '', SLUICE_REDIS_URL: ' ', CLAUDE_CODE_OAUTH_TOKEN: '' })).toMatchObject({
      port: 3000,
      redisUrl: undefined,
    });
  });

  test('two ways to pay leave open who pays', () => {
    expect(problems({ ...ENOUGH, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-1' })).toEqual([
      expect.stringContaining('both are set'),
    ]);
  });

  test('the key may come as a file, on one line, or in base64', () => {
    const { PRIVATE_KEY: _, ...rest } = ENOUGH;
    for (const env of [
      { PRIVATE_KEY_PATH: '/keys/app.pem' },
      { PRIVATE_KEY: privateKey.replaceAll('\n', '\\n') },
      { PRIVATE_KEY: Buffer.from(privateKey).toString('base64') },
    ]) {
      expect(settings({ ...rest, ...env }).app.privateKey).toBe(privateKey);
    }
    expect(problems({ ...rest, PRIVATE_KEY_PATH: '/keys/none.pem' })).toEqual([
      expect.stringMatching(/^PRIVATE_KEY is not usable/),
    ]);
  });

  test('without a signing key one is derived from the App’s, the same each time and not the key itself', () => {
    const { current } = settings(ENOUGH).signingKeys;
    expect(settings(ENOUGH).signingKeys).toEqual({ current });
    expect(current).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const changed = settings({ ...ENOUGH, SLUICE_SIGNING_KEY: 'a-long-enough-secret,the-one-before-that' }).signingKeys;
    expect(changed).toMatchObject({
      current: { secret: 'a-long-enough-secret' },
      previous: { secret: 'the-one-before-that' },
    });
  });

  test('looking needs only GitHub', () => {
    expect(readGitHubSettings({ APP_ID: '17', PRIVATE_KEY: privateKey }, HOST).kind).toBe('valid');
  });
});

test.each([
  ['https://api.github.com/', 'https://api.github.com', 'https://github.com'],
  ['https://api.acme.ghe.com', 'https://api.acme.ghe.com', 'https://acme.ghe.com'],
  ['https://git.acme.org/api/v3', 'https://git.acme.org/api/v3', 'https://git.acme.org'],
  ['http://127.0.0.1:99/api/v3/', 'http://127.0.0.1:99/api/v3', 'http://127.0.0.1:99'],
])('the addresses of %s', (given, apiUrl, gitUrl) => {
  expect(gitHubUrls(given)).toEqual({ apiUrl, gitUrl });
});

test.each([
  ['http://localhost:1', true],
  ['http://[::1]:1', true],
  ['http://127.0.0.2', true],
  ['https://127.0.0.1.example.com', false],
  ['https://api.github.com', false],
])('whether %s is loopback: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});

describe('the API’s settings', () => {
  const TOKEN = '0123456789abcdef';

  test.each([
    [{}, { kind: 'on', token: null }],
    [{ SLUICE_API_TOKEN: TOKEN }, { kind: 'on', token: TOKEN }],
    [{ SLUICE_API: 'off' }, { kind: 'off' }],
    [{ SLUICE_API: 'off', HOST: '0.0.0.0' }, { kind: 'off' }],
    [
      { HOST: '0.0.0.0', SLUICE_API_TOKEN: TOKEN },
      { kind: 'on', token: TOKEN },
    ],
    [{ HOST: 'localhost' }, { kind: 'on', token: null }],
    [{ HOST: '::1' }, { kind: 'on', token: null }],
    [{ HOST: '127.3.4.5' }, { kind: 'on', token: null }],
  ])('%j', (env, api) => {
    expect(settings({ ...ENOUGH, ...env }).api).toEqual(api);
  });

  test.each([
    [
      { HOST: '0.0.0.0' },
      /^SLUICE_API_TOKEN is missing: HOST can be reached .* SLUICE_API=off to take webhooks only\.$/,
    ],
    [{ HOST: '::' }, /^SLUICE_API_TOKEN is missing/],
    [{ HOST: '192.168.0.7' }, /^SLUICE_API_TOKEN is missing/],
    [{ HOST: 'localhost.example.com' }, /^SLUICE_API_TOKEN is missing/],
    [{ SLUICE_API_TOKEN: 'short' }, /^SLUICE_API_TOKEN is not usable: .*openssl/],
    [{ SLUICE_API_TOKEN: 'sixteen characters and spaces' }, /^SLUICE_API_TOKEN is not usable/],
    [{ SLUICE_API: 'maybe' }, /^SLUICE_API is not usable: use on or off/],
  ])('%j is refused, with the way out', (env, said) => {
    expect(problems({ ...ENOUGH, ...env })).toEqual([expect.stringMatching(said)]);
  });
});
