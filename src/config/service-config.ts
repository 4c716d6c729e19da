import { createHash, createPrivateKey, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { apiSettings } from './api-settings.js';
import { gitHubUrls } from './github-urls.js';
import { limitsSettings, limitsShape } from './limits-config.js';
import { moneySettings, moneyShape } from './money-config.js';
import { sandboxSettings, sandboxShape } from './sandbox-config.js';
import { address, type Environment, port, readSettings, valueOf, variable, wholeNumber } from './variable.js';

/** What reading a configuration needs to know about the machine. */
export interface ConfigHost {
  /** `null` when it cannot be read. */
  readonly readFile: (path: string) => string | null;
  readonly isProgram: (path: string) => boolean;
  /** The `claude` program installed with Sluice; `null` when it is not installed. */
  readonly claude: string | null;
}

export const GITHUB_URL = 'https://api.github.com';
const ANTHROPIC_URL = 'https://api.anthropic.com';
const REDIS = /^rediss?:$/;
/** Longer paths leave no room for socket names, whose length the system limits. */
const LONGEST_FOLDER = 80;
const SHORTEST_SECRET = 16;
/** Ordinary comments need this size. */
const LEAST_WEBHOOK_BYTES = 128 * 1024;
const MOST_WEBHOOK_BYTES = 25 * 1024 * 1024;

/** Which GitHub, and our identity there: enough for commands that only read. */
const gitHubShape = {
  APP_ID: variable('set it to the number on the settings page of your GitHub App.', (text = '') =>
    wholeNumber(text, 1, Number.MAX_SAFE_INTEGER),
  ),
  PRIVATE_KEY: variable(
    'set PRIVATE_KEY to the private key of your GitHub App (PEM, or base64 of it), or PRIVATE_KEY_PATH to its file.',
    (text = '') => pemOf(text),
  ),
  GITHUB_API_URL: variable(
    `use ${GITHUB_URL}, https://api.NAME.ghe.com or https://HOST/api/v3 (http:// on loopback only).`,
    (text = GITHUB_URL) => gitHubUrls(text),
  ),
  SLUICE_SIGNING_KEY: variable(
    `give a secret of at least ${SHORTEST_SECRET} characters, or NEW,OLD while you change it; without it one is derived from the App’s key.`,
    (text) => (text === undefined ? 'derived' : signingKeys(text)),
  ),
};

const serviceShape = {
  ...gitHubShape,
  ...moneyShape,
  WEBHOOK_SECRET: variable('set it to the webhook secret of your GitHub App.', (text) => text ?? null),
  WEBHOOK_SECRET_PREVIOUS: z.string().optional(),
  SLUICE_WEBHOOK_MAX_BYTES: variable(
    `use a number from ${LEAST_WEBHOOK_BYTES} to ${MOST_WEBHOOK_BYTES}, which is the most GitHub sends and the default.`,
    (text = String(MOST_WEBHOOK_BYTES)) => wholeNumber(text, LEAST_WEBHOOK_BYTES, MOST_WEBHOOK_BYTES),
  ),
  CREDENTIAL: z
    .object({ ANTHROPIC_API_KEY: z.string().optional(), CLAUDE_CODE_OAUTH_TOKEN: z.string().optional() })
    .transform(({ ANTHROPIC_API_KEY: key, CLAUDE_CODE_OAUTH_TOKEN: token }, context) => {
      if (key !== undefined && token === undefined) return { kind: 'api-key', value: key } as const;
      if (token !== undefined && key === undefined) return { kind: 'oauth', value: token } as const;
      const both = key === undefined ? 'neither is set' : 'both are set, which leaves open who pays';
      context.addIssue(`: ${both}; set one of them.`);
      return z.NEVER;
    }),
  ANTHROPIC_BASE_URL: variable(`it starts with https:// or http://; without it, ${ANTHROPIC_URL}.`, (text) =>
    address(/^https?:$/, text ?? ANTHROPIC_URL),
  ),
  SLUICE_REDIS_URL: variable('it starts with redis:// or rediss://; without it a private server is started.', (text) =>
    text === undefined ? 'private' : address(REDIS, text),
  ),
  SLUICE_FOLDER: variable(
    `use an absolute path of at most ${LONGEST_FOLDER} characters, for things that may be deleted while nothing runs.`,
    (text = '') => (text.startsWith('/') && text.length <= LONGEST_FOLDER ? text : null),
  ),
  PORT: port(0),
  HOST: variable('use an address to listen on, such as 0.0.0.0.', (text = '127.0.0.1') => text),
  API: apiSettings,
};

/** What `explain`, `history` and `prompt` need. */
export function readGitHubSettings(env: Environment, host: ConfigHost) {
  return readSettings(z.object(gitHubShape).transform(gitHubSettings), prepareEnvironment(env, host));
}

/** What `account` needs: where the account is kept, and what it may spend. */
export function readAccountSettings(env: Environment, host: ConfigHost) {
  const redis = variable(
    'set it to the Redis of your service; a private one cannot be reached from here.',
    (text = '') => address(REDIS, text),
  );
  const schema = z.object({ ...moneyShape, SLUICE_REDIS_URL: redis }).transform((values) => ({
    ...moneySettings(values),
    redisUrl: values.SLUICE_REDIS_URL.href,
  }));
  return readSettings(schema, prepareEnvironment(env, host));
}

/** What `serve` needs. */
export function readServiceSettings(env: Environment, host: ConfigHost) {
  const claude = variable('set it to the path of the claude program, or install @anthropic-ai/claude-code.', (text) => {
    const program = text ?? host.claude;
    return program !== null && host.isProgram(program) ? program : null;
  });
  const schema = z
    .object({ ...serviceShape, ...limitsShape, ...sandboxShape, SLUICE_CLAUDE: claude })
    .transform((values) => ({
      ...gitHubSettings(values),
      webhookSecrets: [values.WEBHOOK_SECRET, values.WEBHOOK_SECRET_PREVIOUS].filter((secret) => secret !== undefined),
      maxWebhookBytes: values.SLUICE_WEBHOOK_MAX_BYTES,
      ...moneySettings(values),
      ...limitsSettings(values),
      ...sandboxSettings(values),
      model: { url: values.ANTHROPIC_BASE_URL, credential: values.CREDENTIAL },
      redisUrl: values.SLUICE_REDIS_URL === 'private' ? undefined : values.SLUICE_REDIS_URL.href,
      claude: values.SLUICE_CLAUDE,
      folder: values.SLUICE_FOLDER,
      host: values.HOST,
      api: values.API,
      port: values.PORT,
    }));
  return readSettings(schema, prepareEnvironment(env, host));
}

/** The environment with values that depend on several variables. An empty variable counts as unset. */
function prepareEnvironment(env: Environment, { readFile }: ConfigHost) {
  const set = (name: string): string | undefined => valueOf(env, name);
  const keyFile = set('PRIVATE_KEY_PATH');
  const cache = set('XDG_CACHE_HOME') ?? join(set('HOME') ?? '/var/tmp', '.cache');
  return {
    ...Object.fromEntries(Object.keys(env).map((name) => [name, set(name)])),
    // A file that cannot be read must be reported, not treated as unset.
    PRIVATE_KEY: set('PRIVATE_KEY') ?? (keyFile === undefined ? undefined : (readFile(keyFile) ?? 'unreadable')),
    SLUICE_FOLDER: set('SLUICE_FOLDER') ?? join(cache, 'sluice'),
    API: { SLUICE_API: set('SLUICE_API'), SLUICE_API_TOKEN: set('SLUICE_API_TOKEN'), HOST: set('HOST') },
    CREDENTIAL: {
      ANTHROPIC_API_KEY: set('ANTHROPIC_API_KEY'),
      CLAUDE_CODE_OAUTH_TOKEN: set('CLAUDE_CODE_OAUTH_TOKEN'),
    },
  };
}

function gitHubSettings(values: z.output<z.ZodObject<typeof gitHubShape>>) {
  const { APP_ID: id, PRIVATE_KEY: privateKey, SLUICE_SIGNING_KEY: keys } = values;
  return {
    ...values.GITHUB_API_URL,
    app: { id, privateKey },
    signingKeys: keys === 'derived' ? { current: derivedKey(privateKey) } : keys,
  };
}

/** The key as PEM. It may be given as PEM, as PEM on one line, or in base64. */
function pemOf(text: string): string | null {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const pem = `${plain.replaceAll('\\n', '\n').trim()}\n`;
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa' ? pem : null;
  } catch {
    return null;
  }
}

interface Key {
  readonly id: string;
  readonly secret: string;
}

function signingKeys(text: string): { readonly current: Key; readonly previous?: Key } | null {
  const [current, previous, ...more] = text.split(',').map((secret) => secret.trim());
  const secrets = [current, ...(previous === undefined ? [] : [previous])];
  if (current === undefined || more.length > 0 || secrets.some((secret = '') => secret.length < SHORTEST_SECRET))
    return null;
  return { current: toSigningKey(current), ...(previous === undefined ? {} : { previous: toSigningKey(previous) }) };
}

/** Derived from the key itself, so that another format of the file gives the same result. */
function derivedKey(pem: string): Key {
  const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return toSigningKey(Buffer.from(hkdfSync('sha256', key, '', 'sluice state signing', 32)).toString('hex'));
}

const toSigningKey = (secret: string): Key => ({
  id: createHash('sha256').update(`sluice key id\0${secret}`).digest('hex').slice(0, 8),
  secret,
});
