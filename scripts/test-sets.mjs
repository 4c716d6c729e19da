// Which test files belong to which command, and which of them need a program this machine may lack.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A suite that tries every case of something, or takes minutes, ends in this. `npm run test:long` runs these and no others. */
const LONG = '\\.long\\.test\\.js$';

/**
 * What `npm run test:fast` leaves out: the crash generator, whatever starts the real `claude`, a browser or `sluice` itself, and
 * what tests Pocket GitHub rather than Sluice.
 */
const SLOW = [
  '/test/chaos/',
  '/test/e2e/',
  '/test/sandbox/',
  '/test/browser/',
  '/test/cli/',
  '/test/pocket/',
  '/test/conformance/',
  '/test/service/',
  '/test/repo/test-command\\.test\\.js$',
  // Real git, and whole stories told one after the other.
  '/test/contract/(agent|git-host|github|leftovers|queue|sandbox|state-store|workspace)\\.test\\.js$',
  '/test/adapters/(git-.*|github-lag|key-proxy-cli|leftover-.*|null-injection|workspace|sandbox-detection)\\.test\\.js$',
  '/test/usecases/(attacks|commands|forgeries|merging|objections|refused-pushes|stopping|sweep|takeover|work-of-people)\\.test\\.js$',
  '/test/webhooks/pocket-events\\.test\\.js$',
];

/** Jest's options for a set of tests on this machine. */
export function selectionOf(set, left) {
  const ignored = left.map(({ folder }) => `/${folder}`);
  if (set === 'long') return ['--testMatch=**/*.long.test.js', ...ignoring(ignored)];
  return ignoring([LONG, ...(set === 'fast' ? SLOW : []), ...ignored]);
}

const ignoring = (patterns) => patterns.map((pattern) => `--testPathIgnorePatterns=${pattern}`);

export const chromiumPath = () => process.env.SLUICE_CHROMIUM ?? '/usr/bin/chromium';

const onPath = (...names) =>
  names.some((name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))));

/** The groups of tests that need what is not installed here. */
export function notRunnable() {
  const left = [];
  if (!existsSync(chromiumPath())) {
    left.push({ folder: 'test/browser/', why: `no Chromium at ${chromiumPath()}; install it or set SLUICE_CHROMIUM` });
  }
  if (!onPath('redis-server', 'valkey-server')) {
    left.push({
      folder: 'test/redis/',
      why: 'no redis-server or valkey-server on PATH; the embedded one is tested all the same',
    });
  }
  if (!onPath('bwrap')) {
    left.push({
      folder: 'test/sandbox/',
      why: 'no bubblewrap (bwrap) on PATH; what runs without it is tested all the same',
    });
  }
  return left;
}
