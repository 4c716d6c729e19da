import { describe, expect, test } from '@jest/globals';
import { importsOf, type SourceFile, sourceFiles } from '../support/source-files.js';

/** Layer → the layers it may import, itself included. The folder names are the architecture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  ports: ['ports', 'domain'],
  usecases: ['usecases', 'ports', 'domain'],
  config: ['config', 'ports', 'domain'],
  adapters: ['adapters', 'ports', 'domain'],
  pocket: ['pocket', 'ports', 'domain'],
  entry: ['entry', 'adapters', 'usecases', 'config', 'pocket', 'ports', 'domain'],
};

/** Folders of `src/` with inner walls: one adapter never knows another, and the two stand-ins do not know each other. */
const WALLED = ['adapters', 'pocket'];

function layerOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

function roomOf(path: string): string | undefined {
  return /^src\/[^/]+\/([^/]+)\//.exec(path)?.[1];
}

/** Sentences about imports that go the wrong way. */
function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => importsOf(file).flatMap((target) => violation(file.path, target)));
}

function violation(from: string, to: string): string[] {
  const layer = layerOf(from);
  if (layer === undefined) return [`${from} is in no layer`];
  const allowed = MAY_IMPORT[layer];
  if (allowed === undefined) return [`${from} is in the unknown layer ${layer}`];
  if (!to.startsWith('src/')) {
    if (layer !== 'domain' || to.startsWith('src/')) return [];
    return [`${from} imports ${to}: the domain is pure`];
  }
  const target = layerOf(to);
  if (target === undefined || !allowed.includes(target)) return [`${from} imports ${to}`];
  const crossesWall =
    layer === target && WALLED.includes(layer) && roomOf(from) !== roomOf(to) && roomOf(to) !== undefined;
  return crossesWall ? [`${from} reaches into its neighbour ${to}`] : [];
}

describe('the layers', () => {
  test('import only downwards, and adapters never each other', () => {
    expect(violations(sourceFiles('src'))).toEqual([]);
  });

  test.each([
    ['src/domain/decide/decide.ts', "import { z } from 'zod';", 'the domain is pure'],
    ['src/ports/clock.ts', "import { x } from '../usecases/sweep.js';", 'src/usecases/sweep.ts'],
    ['src/usecases/sweep.ts', "import { x } from '../adapters/queue/bullmq.js';", 'src/adapters/queue/bullmq.ts'],
    ['src/adapters/queue/bullmq.ts', "export { x } from '../agent/claude.js';", 'neighbour'],
    ['src/pocket/model/server.ts', "import { x } from '../github/pocket.js';", 'neighbour'],
    ['src/helpers/x.ts', "import { x } from './y.js';", 'unknown layer'],
  ])('a wrong import in %s is noticed', (path, text, complaint) => {
    expect(violations([{ path, text }]).join('\n')).toContain(complaint);
  });

  test('a right import is not', () => {
    const text =
      "import { x } from '../../../ports/clock.js';\nimport { y } from '../git/store.js';\nimport { z } from 'zod';";
    expect(violations([{ path: 'packages/pocket-github/src/world/world.ts', text }])).toEqual([]);
  });
});
