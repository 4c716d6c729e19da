import { lstat, readlink } from 'node:fs/promises';

/** Programs and libraries; on most systems all but the first are links into it. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** What programs need of /etc. Nothing that may hold a secret: no /etc/ssl/private, no system-wide git or npm settings. */
const SYSTEM_SETTINGS = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/crypto-policies',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

/** Bubblewrap's arguments that show the host's programs, read-only. */
export async function hostSystem(): Promise<string[]> {
  const folders = await Promise.all(SYSTEM_FOLDERS.map(folderArguments));
  return [...folders.flat(), ...SYSTEM_SETTINGS.flatMap((path) => ['--ro-bind-try', path, path])];
}

async function folderArguments(path: string): Promise<string[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return [];
  return found.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path];
}
