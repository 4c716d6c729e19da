import { describe, expect, test } from '@jest/globals';
import { importsOf, type SourceFile, sourceFiles } from '../support/source-files.js';

/** Layer → the layers it may import, itself included. The folder names are the architecture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  ports: ['ports', 'domain'],
  cache: ['cache', 'ports'],
  concurrency: ['concurrency', 'ports'],
  streams: ['streams', 'ports'],
  usecases: ['usecases', 'ports', 'domain', 'cache', 'concurrency', 'streams'],
  config: ['config', 'ports', 'domain'],
  adapters: ['adapters', 'ports', 'domain', 'cache', 'concurrency', 'streams'],
  entry: ['entry', 'adapters', 'usecases', 'config', 'ports', 'domain', 'cache', 'concurrency', 'streams'],
};

/** Packages the domain may use: they compute and have no effects. */
const PURE_PACKAGES = ['micromark', 'micromark-extension-gfm', 'micromark-util-types', 'node:crypto', 'zod'];

/** Adapters that may use another one: BullMQ is a client of Redis. */
const ADAPTERS_OVER: Readonly<Record<string, readonly string[]>> = { queue: ['redis'] };

const layerOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];
const folderOf = (path: string): string | undefined => /^src\/[^/]+\/([^/]+)\//.exec(path)?.[1];
const packageOf = (path: string): string | undefined => /^packages\/([^/]+)\//.exec(path)?.[1];

/** Sentences about imports that go the wrong way. */
function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => importsOf(file).flatMap((target) => violation(file.path, target)));
}

function violation(from: string, to: string): string[] {
  const own = packageOf(from);
  if (own !== undefined) return isForeignTo(own, to) ? [`${from} imports ${to}: a package knows only itself`] : [];
  const layer = layerOf(from);
  if (layer === undefined) return [`${from} is in no layer`];
  const allowed = MAY_IMPORT[layer];
  if (allowed === undefined) return [`${from} is in the unknown layer ${layer}`];
  if (!to.startsWith('src/')) return outsideViolation(layer, from, to);
  const target = layerOf(to);
  if (target === undefined || !allowed.includes(target)) return [`${from} imports ${to}`];
  const isNeighbour = layer === 'adapters' && target === 'adapters' && folderOf(from) !== folderOf(to);
  const isAllowed = ADAPTERS_OVER[folderOf(from) ?? '']?.includes(folderOf(to) ?? '') === true;
  return isNeighbour && !isAllowed ? [`${from} reaches into its neighbour ${to}`] : [];
}

function outsideViolation(layer: string, from: string, to: string): string[] {
  if (to.startsWith('packages/')) return [`${from} imports ${to}: packages are imported by their entry points`];
  if (to.startsWith('#') && layer !== 'entry') return [`${from} imports ${to}: only entry knows the packages`];
  return layer === 'domain' && !PURE_PACKAGES.includes(to) ? [`${from} imports ${to}: the domain is pure`] : [];
}

function isForeignTo(own: string, to: string): boolean {
  if (to.startsWith('#')) return true;
  return /^(?:src|packages|test|bench)\//.test(to) && !to.startsWith(`packages/${own}/`);
}

describe('the layers', () => {
  test('import only downwards, and adapters never each other', () => {
    expect(violations(sourceFiles('src'))).toEqual([]);
  });

  test('packages import nothing of Sluice and nothing of each other', () => {
    const packages = sourceFiles('packages').filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
    expect(packages.length).toBeGreaterThan(100);
    expect(violations(packages)).toEqual([]);
  });

  test.each([
    ['src/domain/decide/decide.ts', "import { execa } from 'execa';", 'the domain is pure'],
    ['src/domain/decide/decide.ts', "import { x } from 'node:fs';", 'the domain is pure'],
    ['src/ports/clock.ts', "import { x } from '../usecases/sweep/sweep.js';", 'src/usecases/sweep/sweep.ts'],
    ['src/usecases/sweep/sweep.ts', "import { x } from '../../adapters/queue/jobs.js';", 'src/adapters/queue/jobs.ts'],
    ['src/usecases/sweep/sweep.ts', "import { x } from '#pocket-github';", 'only entry knows the packages'],
    ['src/entry/demo/play.ts', "import { x } from '../../../packages/pocket-github/src/pocket.js';", 'entry points'],
    ['src/adapters/queue/jobs.ts', "export { x } from '../agent/claude-agent.js';", 'neighbour'],
    ['src/adapters/redis/redis-client.ts', "export { x } from '../queue/jobs.js';", 'neighbour'],
    ['packages/scripted-claude/src/handler.ts', "import { x } from '../../pocket-github/src/urls.js';", 'only itself'],
    ['packages/pocket-github/src/urls.ts', "import { x } from '../../../src/ports/clock.js';", 'only itself'],
    ['src/helpers/x.ts', "import { x } from './y.js';", 'unknown layer'],
  ])('a wrong import in %s is noticed', (path, text, complaint) => {
    expect(violations([{ path, text }]).join('\n')).toContain(complaint);
  });

  test('a right import is not', () => {
    const text =
      "import { x } from '../../ports/clock.js';\nimport { y } from '../redis/redis-client.js';\nimport { z } from 'zod';";
    expect(violations([{ path: 'src/adapters/queue/jobs.ts', text }])).toEqual([]);
  });
});
