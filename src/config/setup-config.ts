import { z } from 'zod';
import { gitHubUrls, isLoopback } from './github-urls.js';
import { GITHUB_URL } from './service-config.js';
import { address, type ConfigReading, type Environment, port, readSettings, valueOf, variable } from './variable.js';

/** What registering the App at GitHub needs. */
export interface SetupSettings {
  readonly host: string;
  readonly port: number;
  /** A GitHub Enterprise Server; `null` is github.com. */
  readonly github: { readonly protocol: string; readonly host: string } | null;
  /** The address at which GitHub reaches us; `null` when unset. */
  readonly publicUrl: string | null;
}

/** If one of these is set, there is already an App. */
const APP_VARIABLES = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'];

/** Whether no App is configured, not even in part. */
export function isUnconfigured(env: Environment): boolean {
  return APP_VARIABLES.every((name) => valueOf(env, name) === undefined);
}

const shape = {
  HOST: variable(
    'whoever reaches the setup pages decides whose App this is: unset it, or configure the App first.',
    (text = '127.0.0.1') => (isLocal(text) ? text : null),
  ),
  // Probot treats 0 as its default port.
  PORT: port(1),
  GITHUB_API_URL: variable(
    `an App can be set up from here on ${GITHUB_URL} and on https://HOST/api/v3; register it by hand elsewhere.`,
    (text = GITHUB_URL) => registrar(text),
  ),
  SLUICE_PUBLIC_URL: variable(
    'use the address at which GitHub reaches this service, such as https://sluice.example.org.',
    (text) => (text === undefined ? { url: null } : publicUrl(text)),
  ),
};

/** The settings that registering the App needs. */
export function readSetupSettings(env: Environment): ConfigReading<SetupSettings> {
  const schema = z.object(shape).transform((values) => ({
    host: values.HOST,
    port: values.PORT,
    github: values.GITHUB_API_URL === 'github.com' ? null : values.GITHUB_API_URL,
    publicUrl: values.SLUICE_PUBLIC_URL.url,
  }));
  return readSettings(schema, Object.fromEntries(Object.keys(shape).map((name) => [name, valueOf(env, name)])));
}

function isLocal(host: string): boolean {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  return URL.canParse(url) && isLoopback(url);
}

function registrar(text: string): 'github.com' | { readonly protocol: string; readonly host: string } | null {
  const urls = gitHubUrls(text);
  if (urls?.apiUrl === GITHUB_URL) return 'github.com';
  if (urls === null || !urls.apiUrl.endsWith('/api/v3')) return null;
  const { protocol, host } = new URL(urls.apiUrl);
  return { protocol: protocol.replace(':', ''), host };
}

function publicUrl(text: string): { readonly url: string } | null {
  const url = address(/^https?:$/, text);
  return url === null || url.search !== '' || url.hash !== '' ? null : { url: url.href.replace(/\/+$/, '') };
}
