import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type Pocket, startPocket } from '../pocket.js';
import { parseSeed, SeedError } from '../seed/parse-seed.js';
import { type Planted, plantSeed } from '../seed/plant-seed.js';
import type { Seed } from '../seed/seed-schema.js';
import { SAMPLE_SEED } from '../seed/sample.js';
import { ManualClock } from '../clock/manual-clock.js';
import { systemClock } from '../clock/system-clock.js';
import { GitHubError } from '../world/errors.js';
import { isLoopbackUrl } from '../webhooks/loopback.js';
import type { HookConfig } from '../world/model.js';
import { CommandFailure, runCommand } from './command-failure.js';
import { interrupted } from './interruption.js';

interface PocketFlags {
  readonly port: number;
  readonly seed?: string;
  readonly webhook?: string;
  readonly webhookSecret: string;
  readonly manualClock?: true;
  readonly json?: true;
}

/** A GitHub on loopback until it is interrupted: `pocket-github` itself, or a subcommand of a larger program. */
export function pocketCommand(): Command {
  return (
    new Command('pocket')
      .description('Serve a small GitHub on loopback: REST, GraphQL, git, webhooks and pages, with real git behind it.')
      .option('--port <number>', 'port to listen on (0 picks a free one)', parsePort, 0)
      .option(
        '--seed <file>',
        'YAML file describing users, Apps and repositories (a sample without; see docs/pocket.md)',
      )
      .option(
        '--webhook <url>',
        'where the Apps’ webhooks go, e.g. http://127.0.0.1:3000/api/github/webhooks',
        parseUrl,
      )
      .option('--webhook-secret <secret>', 'what webhooks are signed with', 'development')
      .option('--manual-clock', 'time stands still until POST /_pocket/clock moves it')
      .option('--json', 'print one JSON object with all addresses and credentials')
      // Complaints are headed by the program that was called.
      .action((flags: PocketFlags, command: Command) =>
        runCommand((command.parent ?? command).name(), () => servePocket(flags)),
      )
  );
}

async function servePocket(flags: PocketFlags): Promise<void> {
  const seed = await readSeed(flags.seed);
  const whenInterrupted = interrupted();
  const clock = flags.manualClock === true ? new ManualClock(systemClock.now()) : systemClock;
  const pocket = await startPocket({ clock, port: flags.port, onDefect: reportDefect }).catch((error: unknown) => {
    throw new CommandFailure(
      `cannot listen on port ${flags.port}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  const keys = await mkdtemp(join(tmpdir(), 'pocket-keys-'));
  try {
    const hook = flags.webhook === undefined ? null : { url: flags.webhook, secret: flags.webhookSecret };
    const planted = await plant(pocket, seed, hook, flags.seed ?? 'the sample');
    const card = await visitingCard(pocket, planted, keys, flags.webhookSecret);
    process.stdout.write(flags.json === true ? `${JSON.stringify(card)}\n` : describe(card));
    await whenInterrupted;
  } finally {
    await pocket.close();
    await rm(keys, { recursive: true, force: true });
  }
}

async function readSeed(file: string | undefined) {
  if (file === undefined) return parseSeed(SAMPLE_SEED, 'the sample');
  try {
    return parseSeed(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof SeedError) throw new CommandFailure(error.message);
    throw new CommandFailure(`cannot read the seed ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What GitHub would refuse is refused in a seed too. */
async function plant({ world, faults }: Pocket, seed: Seed, hook: HookConfig | null, file: string): Promise<Planted> {
  try {
    return await plantSeed(world, seed, hook, faults);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const details = (error.errors ?? []).map((detail) =>
      typeof detail === 'string'
        ? detail
        : (detail.message ?? `${detail.resource} ${detail.field ?? ''} ${detail.code}`),
    );
    throw new CommandFailure(
      `${file} is not a usable seed:\n${[error.message, ...details].map((line) => `  - ${line}`).join('\n')}`,
    );
  }
}

/** Everything a client needs to take part. */
interface VisitingCard {
  readonly url: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly repositories: readonly { readonly name: string; readonly page: string; readonly git: string }[];
  readonly apps: readonly {
    readonly slug: string;
    readonly id: number;
    readonly keyFile: string;
    readonly webhookSecret: string;
  }[];
  readonly tokens: Readonly<Record<string, string>>;
}

async function visitingCard(
  { urls }: Pocket,
  planted: Planted,
  keys: string,
  webhookSecret: string,
): Promise<VisitingCard> {
  const apps = [];
  for (const app of planted.apps) {
    const keyFile = join(keys, `${app.slug}.pem`);
    await writeFile(keyFile, app.privateKey, { mode: 0o600 });
    apps.push({ slug: app.slug, id: app.id, keyFile, webhookSecret: app.hook?.secret ?? webhookSecret });
  }
  return {
    url: urls.html,
    apiUrl: urls.api,
    graphqlUrl: urls.graphql,
    repositories: planted.repositories.map((name) => ({
      name,
      page: `${urls.html}/${name}`,
      git: `${urls.html}/${name}.git`,
    })),
    apps,
    tokens: planted.tokens,
  };
}

function describe(card: VisitingCard): string {
  const lines = [
    `Pocket GitHub is at ${card.url}`,
    `  REST     ${card.apiUrl}`,
    `  GraphQL  ${card.graphqlUrl}`,
    ...card.repositories.map((repository) => `  page     ${repository.page}   (git clone ${repository.git})`),
    ...card.apps.map((app) => `  App      ${app.slug}, id ${app.id}, key ${app.keyFile}`),
    ...Object.entries(card.tokens).map(([login, token]) => `  token    ${login.padEnd(10)} ${token}`),
    'Press Ctrl-C to end it; nothing is kept.',
  ];
  return `${lines.join('\n')}\n`;
}

function reportDefect(error: unknown): void {
  process.stderr.write(
    `Pocket GitHub has a defect: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('An address starts with http:// or https://.');
  if (!isLoopbackUrl(text)) throw new InvalidArgumentError('Pocket GitHub talks to loopback addresses only.');
  return text;
}
