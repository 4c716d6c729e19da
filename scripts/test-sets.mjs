// Which test files belong to which command, and which of them need a program this machine may lack.
//
// A test file is called NAME[.long][.NEED].test.ts, in this order: first whether it is long, then what it needs of the machine. What needs
// several things names them in alphabetical order.
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** A suite that tries every case of something, or takes minutes, says so in its name. `npm run test:long` runs these and no others. */
const LONG = '\\.long(?:\\.[a-z]+)*\\.test\\.js$';
/** The same for Jest's `--testMatch`, which takes globs. */
const LONG_GLOBS = ['**/*.long.test.js', '**/*.long.*.test.js'];

/**
 * What `npm run test:fast` leaves out: the crash generator, whatever starts the real `claude`, a sandbox, a browser or `sluice` itself, and
 * what tests the packages rather than Sluice.
 */
const SLOW = [
  named('bwrap'),
  named('chromium'),
  '/packages/[^/]+/test/',
  '/test/chaos/',
  '/test/system/(?:cli|end-to-end|service)/',
  '/test/unit/entry/demo/brain/',
  '/test/repo/test-command\\.test\\.js$',
  // Real git, and long scenarios.
  '/test/contract/(?:execution/.*|git/.*|github/github|storage/queue)\\.test\\.js$',
  '/test/unit/adapters/git/',
  '/test/unit/adapters/(?:github/null-injection|github/snapshot/read-your-writes|model-gate/key-proxy-cli|sandbox/detect-sandbox)\\.test\\.js$',
  '/test/attacks/(?:authority/manual-action|state/forged-evidence)-attacks\\.test\\.js$',
  '/test/system/(?:commands/commands|commands/stopping|delivery/merging|delivery/refused-pushes|delivery/work-of-people)\\.test\\.js$',
  '/test/system/(?:manual-actions/objections|recovery/takeover|sweep/sweep|webhooks/pocket-events)\\.test\\.js$',
];

/** What a test can need, by the suffix in its name. */
const NEEDS = {
  bwrap: {
    isThere: () => onPath('bwrap'),
    why: () => 'no bubblewrap (bwrap) on PATH; what runs without it is tested all the same',
  },
  chromium: {
    isThere: () => existsSync(chromiumPath()),
    why: () => `no Chromium at ${chromiumPath()}; install it or set SLUICE_CHROMIUM`,
  },
  redis: {
    isThere: () => onPath('redis-server', 'valkey-server'),
    why: () => 'no redis-server or valkey-server on PATH; the embedded one is tested all the same',
  },
};

/** Jest's options for a set of tests on this machine. */
export function selectionOf(set, left) {
  const ignored = left.map(({ need }) => named(need));
  if (set === 'long') return [...LONG_GLOBS.map((glob) => `--testMatch=${glob}`), ...ignoring(ignored)];
  return ignoring([LONG, ...(set === 'fast' ? SLOW : []), ...ignored]);
}

/** The groups of tests whose program is not installed here. */
export const notRunnable = () =>
  Object.entries(NEEDS)
    .filter(([, { isThere }]) => !isThere())
    .map(([need, { why }]) => ({ need, files: `*.${need}.test.ts`, why: why() }));

/** What a test file needs, by its name or by the part of it that a mutant gives. */
export const needsOf = (path) =>
  basename(path)
    .split('.')
    .filter((part) => Object.hasOwn(NEEDS, part));

export const chromiumPath = () => process.env.SLUICE_CHROMIUM ?? '/usr/bin/chromium';

/** Files with this word in their name. */
function named(need) {
  return `\\.${need}(?:\\.[a-z]+)*\\.test\\.js$`;
}

const ignoring = (patterns) => patterns.map((pattern) => `--testPathIgnorePatterns=${pattern}`);

const onPath = (...names) =>
  names.some((name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))));
