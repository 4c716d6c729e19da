// Compiles TypeScript into build/, and removes what stays there from sources that are gone: jest would run it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const build = join(root, 'build');

for (const folder of ['src', 'test', 'bench']) removeOrphans(join(build, folder));

const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', root], {
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
