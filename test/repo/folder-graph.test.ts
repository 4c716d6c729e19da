import { describe, expect, test } from '@jest/globals';
import { importsOf, type SourceFile, sourceFiles } from '../support/source-files.js';

/**
 * Layer → folder → the folders of the same layer it may import. Folders below these count as one with them; files that are in no folder
 * count as `.`. Whoever adds an edge sees here whether the order from facts to decisions still holds.
 */
const MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  domain: {
    issue: [],
    sanitise: [],
    gates: ['issue'],
    criteria: ['issue', 'sanitise'],
    agent: ['issue', 'sanitise'],
    commands: ['issue', 'sanitise'],
    state: ['issue', 'sanitise', 'criteria', 'agent'],
    intent: ['issue', 'criteria', 'commands', 'state'],
    limits: ['issue', 'sanitise', 'agent', 'state'],
    action: ['issue', 'state', 'limits'],
    events: ['issue', 'agent', 'state', 'action'],
    render: ['issue', 'sanitise', 'criteria', 'commands', 'state', 'limits', 'action'],
    decide: ['issue', 'sanitise', 'criteria', 'state', 'limits', 'action', 'render'],
  },
  usecases: {
    '.': [],
    events: [],
    sweep: [],
    issue: ['.'],
    maintenance: ['.', 'issue'],
    batch: ['.', 'issue'],
    intent: ['.', 'issue'],
    reconcile: ['.', 'issue', 'intent', 'batch', 'events'],
    commands: ['.', 'issue', 'intent', 'reconcile'],
    phases: ['.', 'issue', 'intent', 'reconcile', 'events'],
    report: ['.', 'reconcile'],
  },
};

/** The layer and folder of a file of a layer above; `null` for any other file. */
function placeOf(path: string): { readonly layer: string; readonly folder: string } | null {
  const [, layer = '', folder = '.'] = /^src\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
  return layer in MAY_IMPORT ? { layer, folder } : null;
}

/** Sentences about imports that the table does not have. */
function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = placeOf(file.path);
    if (from === null) return [];
    const allowed = MAY_IMPORT[from.layer]?.[from.folder];
    if (allowed === undefined) return [`${file.path} is in the unknown folder ${from.folder}`];
    return importsOf(file).flatMap((target) => {
      const to = placeOf(target);
      if (to === null || to.layer !== from.layer || to.folder === from.folder || allowed.includes(to.folder)) return [];
      return [`${file.path} imports ${target}: ${from.folder} must not know ${to.folder}`];
    });
  });
}

/** The folders that lead back to themselves. */
function foldersInCycles(graph: Readonly<Record<string, readonly string[]>>): string[] {
  const reaches = (from: string, seen: Set<string>): Set<string> => {
    for (const next of graph[from] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reaches(next, seen);
    }
    return seen;
  };
  return Object.keys(graph).filter((folder) => reaches(folder, new Set()).has(folder));
}

describe('the folders inside a layer', () => {
  test('import only what the table says', () => {
    expect(violations(sourceFiles('src'))).toEqual([]);
  });

  test.each(Object.entries(MAY_IMPORT))('of %s are in no cycle', (_layer, graph) => {
    expect(foldersInCycles(graph)).toEqual([]);
    const unknown = Object.values(graph)
      .flat()
      .filter((folder) => !(folder in graph));
    expect(unknown).toEqual([]);
  });

  test('a cycle is noticed, however long it is', () => {
    expect(foldersInCycles({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['src/domain/render/status/x.ts', "import { x } from '../../decide/decide.js';", 'render must not know decide'],
    ['src/domain/issue/x.ts', "import type { X } from '../state/state.js';", 'issue must not know state'],
    ['src/domain/limits/x.ts', "export { x } from '../decide/x.js';", 'limits must not know decide'],
    ['src/usecases/engine.ts', "import type { X } from './commands/x.js';", '. must not know commands'],
    ['src/usecases/intent/x.ts', "import { x } from '../reconcile/x.js';", 'intent must not know reconcile'],
    ['src/domain/helpers/x.ts', '', 'unknown folder helpers'],
    ['src/domain/x.ts', '', 'unknown folder .'],
  ])('a wrong import in %s is noticed', (path, text, complaint) => {
    expect(violations([{ path, text }]).join('\n')).toContain(complaint);
  });

  test('a right import is not', () => {
    const text = [
      "import { x } from './render-phase.js';",
      "import { x } from './code/run-code.js';",
      "import { x } from '../engine.js';",
      "import { x } from '../../domain/decide/decide.js';",
      "import { z } from 'zod';",
    ].join('\n');
    expect(violations([{ path: 'src/usecases/phases/x.ts', text }])).toEqual([]);
  });
});
