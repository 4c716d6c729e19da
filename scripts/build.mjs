// Compiles TypeScript. Without arguments everything goes into build/, the packages too, and what stays there from sources that are gone is
// removed: jest would run it. `build.mjs packages/x` compiles that package alone into its own build/, which is what its tarball holds.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const build = join(root, 'build');
const [one] = process.argv.slice(2);

if (one === undefined) for (const folder of ['src', 'packages', 'test', 'bench']) removeOrphans(join(build, folder));
else rmSync(join(root, one, 'build'), { recursive: true, force: true });

const project = one === undefined ? root : join(root, one, 'tsconfig.build.json');
const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
  stdio: 'inherit',
});
process.exitCode = tsc.status ?? 1;

function removeOrphans(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !/\.js(\.map)?$/.test(file)) continue;
    const source = join(root, relative(build, file)).replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(source)) rmSync(file);
  }
}
