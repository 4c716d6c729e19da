import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { importsOf, ROOT, sourceFiles } from '../support/source-files.js';

/* The packages stand on their own, and the root's tarball, which holds them compiled, has what they need. */

const versions = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({ dependencies: versions, devDependencies: versions });
const manifestOf = (folder: string) =>
  manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')));

/** `@scope/name/file` → `@scope/name`. */
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

const root = manifestOf('.');

describe.each(readdirSync(join(ROOT, 'packages')))('packages/%s', (name) => {
  const folder = `packages/${name}`;
  const own = manifestOf(folder);

  test('imports nothing of the product, nor of another package', () => {
    const strays = sourceFiles(`${folder}/src`).flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('#') || (target.endsWith('.ts') && !target.startsWith(`${folder}/src/`)))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(strays).toEqual([]);
  });

  test('names every package it imports', () => {
    const named = { ...own.devDependencies, ...own.dependencies };
    const unnamed = sourceFiles(`${folder}/src`)
      .flatMap(importsOf)
      .filter((target) => !target.startsWith('packages/') && !isBuiltin(target))
      .map(packageOf)
      .filter((target) => !(target in named));
    expect(unnamed).toEqual([]);
  });

  test('needs nothing at run time that the root’s own tarball does not bring, in the same version', () => {
    const { dependencies } = root;
    expect(dependencies).toMatchObject(own.dependencies);
  });
});
