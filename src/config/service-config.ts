import { createHash, createPrivateKey, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type GitHubUrls, gitHubUrls } from './github-urls.js';

/** The environment, as `process.env` has it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What reading a configuration needs to know about the machine. */
export interface ConfigHost {
  readonly readFile: (path: string) => string;
  readonly isProgram: (path: string) => boolean;
  /** The `claude` that came with the product; `null` when it did not. */
  readonly claude: string | null;
}

interface Key {
  readonly id: string;
  readonly secret: string;
}

/** Which GitHub, and who we are there: all that looking needs. */
export interface GitHubSettings extends GitHubUrls {
  readonly app: { readonly id: number; readonly privateKey: string };
  readonly signingKeys: { readonly current: Key; readonly previous?: Key };
}

/** What serving needs besides. */
export interface ServiceSettings extends GitHubSettings {
  readonly webhookSecret: string;
  readonly model: {
    readonly url: URL;
    readonly credential: { readonly kind: 'api-key' | 'oauth'; readonly value: string };
  };
  readonly redisUrl: string | undefined;
  readonly claude: string;
  readonly folder: string;
  readonly host: string;
  readonly port: number;
}

export type ConfigReading<Settings> =
  | { readonly kind: 'valid'; readonly settings: Settings }
  /** Each a sentence that names the variable and what to do about it. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

const ANTHROPIC_URL = 'https://api.anthropic.com';
const GITHUB_URL = 'https://api.github.com';
const PORT = 3000;
/** Longer ones leave no room for the names of sockets. */
const LONGEST_FOLDER = 80;
const SHORTEST_SECRET = 16;

/** Remedies, one per variable: the whole text people see when it is missing or wrong. */
const SAY = {
  APP_ID: 'set it to the number on the settings page of your GitHub App.',
  key: 'set PRIVATE_KEY to the App’s private key (PEM, or base64 of it), or PRIVATE_KEY_PATH to its file.',
  WEBHOOK_SECRET: 'set it to the webhook secret of your GitHub App.',
  GITHUB_API_URL: `use ${GITHUB_URL}, https://api.NAME.ghe.com or https://HOST/api/v3 (http on loopback only).`,
  SLUICE_SIGNING_KEY: `give a secret of at least ${SHORTEST_SECRET} characters, or NEW,OLD while you change it; unset, it is derived from the App’s key.`,
  credential: 'set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN, and not both.',
  ANTHROPIC_BASE_URL: `it starts with https:// or http://; unset, it is ${ANTHROPIC_URL}.`,
  SLUICE_REDIS_URL: 'it starts with redis:// or rediss://; unset, a private server is started.',
  SLUICE_CLAUDE: 'set it to the path of the claude program, or install @anthropic-ai/claude-code.',
  SLUICE_FOLDER: `use an absolute path of at most ${LONGEST_FOLDER} characters for what may be deleted while nothing runs.`,
  PORT: `use a number from 0 to 65535; unset, it is ${PORT}.`,
};

/** What `explain`, `history` and `prompt` need. */
export function readGitHubSettings(env: Environment, host: ConfigHost): ConfigReading<GitHubSettings> {
  const problems: string[] = [];
  const settings = gitHubSettings(given(env), host, problems);
  return settings === null || problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'valid', settings };
}

/** What `serve` needs. Every problem is found in one go. */
export function readServiceSettings(env: Environment, host: ConfigHost): ConfigReading<ServiceSettings> {
  const problems: string[] = [];
  const values = given(env);
  const github = gitHubSettings(values, host, problems);
  const service = serviceSchema.safeParse(values);
  for (const { path, message } of service.error?.issues ?? []) problems.push(problem(String(path[0]), values, message));
  const credential = modelCredential(values);
  if (credential === null) problems.push(`The model’s credential: ${SAY.credential}`);
  const claude = values.SLUICE_CLAUDE ?? host.claude;
  if (claude === null || !host.isProgram(claude))
    problems.push(claude === null ? `SLUICE_CLAUDE is missing: ${SAY.SLUICE_CLAUDE}` : noProgram(claude));
  const folder = values.SLUICE_FOLDER ?? join(values.XDG_CACHE_HOME ?? join(values.HOME ?? '/var/tmp', '.cache'), 'sluice');
  if (!folder.startsWith('/') || folder.length > LONGEST_FOLDER)
    problems.push(`SLUICE_FOLDER cannot be ${folder}: ${SAY.SLUICE_FOLDER}`);
  if (github === null || credential === null || claude === null || !service.success || problems.length > 0)
    return { kind: 'invalid', problems };
  const { WEBHOOK_SECRET, ANTHROPIC_BASE_URL, SLUICE_REDIS_URL, PORT: port, HOST } = service.data;
  return {
    kind: 'valid',
    settings: {
      ...github,
      webhookSecret: WEBHOOK_SECRET,
      model: { url: new URL(ANTHROPIC_BASE_URL), credential },
      redisUrl: SLUICE_REDIS_URL,
      claude,
      folder,
      host: HOST,
      port,
    },
  };
}

const addressOf = (protocol: RegExp) => z.url({ protocol });

const appSchema = z.object({ APP_ID: z.coerce.number().int().positive() });

const serviceSchema = z.object({
  WEBHOOK_SECRET: z.string(),
  ANTHROPIC_BASE_URL: addressOf(/^https?$/).default(ANTHROPIC_URL),
  SLUICE_REDIS_URL: addressOf(/^rediss?$/).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(PORT),
  HOST: z.string().default('127.0.0.1'),
});

/** A variable that is set to nothing is not set. */
function given(env: Environment): Record<string, string> & Partial<Record<keyof typeof SAY | 'HOME', string>> {
  const entries = Object.entries(env).map(([name, value]) => [name, value?.trim() ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
