import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { removeLeftovers } from '../../../../src/adapters/git/leftovers.js';

const HOUR = 60 * 60_000;
const at = { folder: '' };

beforeEach(async () => {
  at.folder = await mkdtemp(join(tmpdir(), 'leftovers-'));
});
afterEach(() => rm(at.folder, { recursive: true, force: true }));

async function put(path: string, aged: boolean): Promise<void> {
  const file = join(at.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  if (aged) await utimes(file, 0, 0);
}

const files = async (): Promise<readonly string[]> => {
  const entries = await readdir(at.folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(at.folder.length + 1))
    .sort();
};

test('old locks and half-written objects go, young ones stay, and nothing of ours is left', async () => {
  for (const path of ['packed-refs.lock', 'refs/heads/main.lock', 'objects/pack/tmp_pack_1', 'objects/ab/tmp_obj_2'])
    await put(path, true);
  await put('config.lock', false);
  expect(await removeLeftovers(at.folder, HOUR)).toBe(true);
  expect(await files()).toEqual(['config.lock']);
  expect(await removeLeftovers(at.folder, HOUR)).toBe(false);
});

test('branches stay, whatever they are called', async () => {
  for (const path of ['refs/heads/tmp_work', 'refs/heads/incoming-1/change']) await put(path, true);
  expect(await removeLeftovers(at.folder, HOUR)).toBe(false);
  expect(await files()).toEqual(['refs/heads/incoming-1/change', 'refs/heads/tmp_work']);
});
