import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AGENT_PHASES } from '../../../../src/domain/issue/phase.js';
import type { Engine } from '../../../../src/usecases/engine.js';
import { performPhase } from '../../../../src/usecases/phases/perform-phase.js';
import { PHASES } from '../../../../src/usecases/phases/phases.js';
import { renderPhase } from '../../../../src/usecases/phases/render-phase.js';
import { snapshot, state } from '../../../support/domain/snapshot-fixture.js';
import { importsOf, ROOT, sourceFiles } from '../../../support/source-files.js';

const FOLDER = 'src/usecases/phases';
const folders = readdirSync(join(ROOT, FOLDER), { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** The folder of the phase that a file belongs to. */
const folderOf = (path: string): string | undefined => /^src\/usecases\/phases\/([^/]+)\//.exec(path)?.[1];

describe('a phase', () => {
  test('is a folder and a definition of the same name', () => {
    expect(folders.map(({ name }) => name).sort()).toEqual([...AGENT_PHASES].sort());
    expect(Object.keys(PHASES)).toEqual([...AGENT_PHASES]);
  });

  test('is imported by the table of phases and by nothing else', () => {
    const importers = sourceFiles('src').filter((file) =>
      importsOf(file).some((target) => folderOf(target) !== undefined && folderOf(target) !== folderOf(file.path)),
    );
    expect(importers.map(({ path }) => path)).toEqual([`${FOLDER}/phases.ts`]);
  });

  // Nothing of the engine is used when there is no context.
  const engine = {} as Engine;
  const untriaged = snapshot(state());

  test.each(['spec', 'code', 'review', 'verify'] as const)(
    '%s has no prompt and does not run before triage',
    async (phase) => {
      expect(await renderPhase({ engine, snapshot: untriaged }, phase)).toBeNull();
      const run = {
        engine,
        snapshot: untriaged,
        action: { kind: 'run', phase, attempt: 1, because: 'a test asks for it' },
        phaseRun: 'run-1',
        signal: new AbortController().signal,
        isLeaseLost: () => false,
      } as const;
      expect(await performPhase({ ...run, outcomes: [], commits: [] })).toEqual({
        kind: 'failed',
        because: `there is nothing for ${phase} to go by yet`,
        feedback: [],
      });
    },
  );
});
