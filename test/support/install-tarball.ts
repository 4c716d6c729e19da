import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { ROOT } from './source-files.js';

const versions = z.record(z.string(), z.string()).default({});
const programs = z.record(z.string(), z.string());
const manifestSchema = z.object({
  name: z.string(),
  dependencies: versions,
  optionalDependencies: versions,
  bin: z.union([z.string(), programs]).default({}),
});

/** Packs the package in this folder of the repository. Its own `prepack` runs; the root's build is there already. */
export async function pack(folder: string, into: string): Promise<string> {
  const scripts = folder === '.' ? ['--ignore-scripts'] : [];
  const { stdout } = await execa('npm', ['pack', '--silent', '--offline', ...scripts, '--pack-destination', into], {
    cwd: join(ROOT, folder),
  });
  return join(into, stdout.trim().split('\n').at(-1) ?? '');
}

/**
 * What `npm ci --omit=dev` makes of an empty folder, without a registry: the tarball's files, and links to the direct dependencies it names.
 * Those find theirs in the repository. What the tarball itself does not name is not found.
 */
export async function installTarball(tarball: string, folder: string): Promise<void> {
  const unpacked = join(folder, 'package');
  await execa('tar', ['-xzf', tarball, '-C', folder]);
  const manifest = await manifestOf(unpacked);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await rename(unpacked, join(modules, manifest.name));
  await linkPrograms(modules, manifest.name);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const source = join(ROOT, 'node_modules', name);
    if (!existsSync(source)) continue;
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(source, join(modules, name));
  }
}

/** What `--ignore-scripts` changes: claude's install script does not run, so that a short text stays in its program's place. */
export async function withoutClaudeScript(folder: string): Promise<void> {
  const [ours, theirs] = [ROOT, folder].map((place) => join(place, 'node_modules/@anthropic-ai')) as [string, string];
  const wrapper = join(theirs, 'claude-code');
  await rm(wrapper);
  const isProgram = (path: string): boolean => path.endsWith('/bin/claude.exe');
  await cp(join(ours, 'claude-code'), wrapper, { recursive: true, filter: (path) => !isProgram(path) });
  await writeFile(join(wrapper, 'bin/claude.exe'), 'echo "Error: claude native binary not installed." >&2\nexit 1\n');
  for (const name of readdirSync(ours).filter((one) => one.startsWith('claude-code-')))
    await symlink(join(ours, name), join(theirs, name));
}

async function linkPrograms(modules: string, name: string): Promise<void> {
  const { bin } = await manifestOf(join(modules, name));
  await mkdir(join(modules, '.bin'));
  for (const [program, path] of Object.entries(typeof bin === 'string' ? { [name]: bin } : bin)) {
    await chmod(join(modules, name, path), 0o755);
    await symlink(join('..', name, path), join(modules, '.bin', program));
  }
}

const manifestOf = async (folder: string) =>
  manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
