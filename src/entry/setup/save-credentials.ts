import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What GitHub gives when an App is registered, as far as we need it. */
const OURS = ['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET'] as const;
type Credential = (typeof OURS)[number];

/** Writes the App's credentials into a file only its owner can read. Other lines of the file stay. */
export function saveCredentials(file: string, given: Readonly<Record<string, string | undefined>>): void {
  const values = OURS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
  const before = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
  const others = before
    .split('\n')
    .filter((line) => line !== '' && !values.some(([name]) => line.startsWith(`${name}=`)));
  const lines = [...others, ...values.map(([name, value]) => `${name}=${oneLine(value)}`)];
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, `${lines.join('\n')}\n`, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}

/** Whether the file holds an App already. */
export function holdsCredentials(file: string): boolean {
  const names: readonly Credential[] = ['APP_ID', 'PRIVATE_KEY'];
  return existsSync(file) && names.some((name) => new RegExp(`^${name}=.`, 'm').test(readFileSync(file, 'utf8')));
}

const oneLine = (text: string): string => text.trim().replaceAll('\r', '').replaceAll('\n', '\\n');
