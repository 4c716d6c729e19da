import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiSettings } from '../../config/api-settings.js';
import { CommandFailure } from '../cli/command-failure.js';
import type { ApiAccess } from './authorise.js';

/** In the service's folder. */
const TOKEN_FILE = 'api-token';
const GENERATED = /^[0-9a-f]{64}$/;

/**
 * Who may use the API; `null` when it is off. Without a configured token one is generated at the first start, shown once, and kept. It is
 * needed even on loopback: a web page in a browser can reach this machine, but cannot read its files.
 */
export function openApiAccess(settings: ApiSettings, folder: string, tell: (line: string) => void): ApiAccess | null {
  if (settings.kind === 'off') return null;
  if (settings.token !== null) return { token: settings.token, isLocal: false };
  return { token: keptToken(folder) ?? newToken(folder, tell), isLocal: true };
}

/** `null` when there is none yet. */
function keptToken(folder: string): string | null {
  const path = join(folder, TOKEN_FILE);
  try {
    const token = readFileSync(path, 'utf8').trim();
    const isOwnersAlone = (statSync(path).mode & 0o077) === 0;
    // A token of another form, or readable by others, may be known to somebody: a new one replaces it.
    return GENERATED.test(token) && isOwnersAlone ? token : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw notUsable(path, error);
  }
}

function newToken(folder: string, tell: (line: string) => void): string {
  const path = join(folder, TOKEN_FILE);
  const token = randomBytes(32).toString('hex');
  try {
    mkdirSync(folder, { recursive: true });
    // Removed first, because an existing file would keep its permissions.
    rmSync(path, { force: true });
    writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw notUsable(path, error);
  }
  tell(`the token of the HTTP API, generated now and kept in ${path}: ${token}`);
  return token;
}

function notUsable(path: string, error: unknown): CommandFailure {
  const why = error instanceof Error ? error.message : String(error);
  return new CommandFailure(`cannot keep the API's token in ${path}: ${why}; set SLUICE_API_TOKEN, or SLUICE_API=off`);
}
