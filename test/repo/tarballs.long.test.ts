import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/rest';
import { execa } from 'execa';
import { installTarball, pack, withoutClaudeScript } from '../support/install-tarball.js';

/* What is packed runs where nothing else is: no sources, no other package, no registry. */

/** Packed once for all tests: packing compiles a package. */
const packed = { folder: '', root: '', pocket: '', model: '' };
beforeAll(async () => {
  packed.folder = await mkdtemp(join(tmpdir(), 'packed-'));
  packed.root = await pack('.', packed.folder);
  packed.pocket = await pack('packages/pocket-github', packed.folder);
  packed.model = await pack('packages/scripted-claude', packed.folder);
});
afterAll(() => rm(packed.folder, { recursive: true, force: true }));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tarball-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a module in the folder and answers what it prints, line by line. */
async function run(text: string, env: Record<string, string> = {}): Promise<readonly string[]> {
  const program = join(folder, 'program.mjs');
  await writeFile(program, text);
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, ...env };
  const { stdout } = await execa(process.execPath, [program], { cwd: folder, env: environment, extendEnv: false });
  return stdout.split('\n');
}

describe('the root’s tarball alone', () => {
  const CLAUDE = `
    import { chosenClaude } from './node_modules/sluice/build/src/entry/cli/settings.js';
    console.log(chosenClaude());`;

  beforeEach(() => installTarball(packed.root, folder));

  test('runs the demo', async () => {
    const { stdout, exitCode } = await execa(
      join(folder, 'node_modules/.bin/sluice'),
      ['demo', '--scenario', 'patch', '--json'],
      { cwd: folder, reject: false, env: { PATH: process.env['PATH'] ?? '', HOME: folder }, extendEnv: false },
    );
    expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({ exitCode: 0, ok: true });
  });

  test.each([
    ['as it is', async () => undefined],
    ['with --ignore-scripts', withoutClaudeScript],
  ])('brings a claude that starts when it is installed %s', async (_, change: (folder: string) => Promise<void>) => {
    await change(folder);
    const [claude = ''] = await run(CLAUDE);
    const { stdout } = await execa(claude, ['--version'], { env: { HOME: folder }, extendEnv: false });
    expect(stdout).toMatch(/^2\.1\.\d+ /);
  });

  test('takes the claude of SLUICE_CLAUDE instead, where one is named', async () => {
    expect(await run(CLAUDE, { SLUICE_CLAUDE: '/opt/claude' })).toEqual(['/opt/claude']);
  });
});

describe('the tarball of Pocket GitHub alone', () => {
  beforeEach(() => installTarball(packed.pocket, folder));

  test('starts and serves an Octokit', async () => {
    const running = execa(join(folder, 'node_modules/.bin/pocket-github'), ['--json'], { cwd: folder, reject: false });
    for await (const line of createInterface(running.stdout)) {
      const card = JSON.parse(line) as { apiUrl: string; tokens: Record<string, string> };
      const octokit = new Octokit({ baseUrl: card.apiUrl, auth: card.tokens['wren'] });
      expect((await octokit.rest.users.getAuthenticated()).data.login).toBe('wren');
      expect(await octokit.graphql('{ viewer { login } }')).toEqual({ viewer: { login: 'wren' } });
      break;
    }
    running.kill('SIGINT');
    expect((await running).exitCode).toBe(0);
  });

  test('shows its entry points and nothing of its inside', async () => {
    const names = ['pocket-github', 'pocket-github/clock', 'pocket-github/testing', 'pocket-github/build/pocket.js'];
    const seen = await run(
      `for (const name of ${JSON.stringify(names)}) console.log(await import(name).then(() => 'open', ({ code }) => code));`,
    );
    expect(seen).toEqual(['open', 'open', 'open', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);
  });
});

test('the tarball of the scripted model alone answers by its script', async () => {
  await installTarball(packed.model, folder);
  const [status] = await run(`
    import { say, startScriptedModel } from 'scripted-claude';
    const clock = { now: Date.now, at: (time, task) => { const timer = setTimeout(task, time - Date.now()); return () => clearTimeout(timer); } };
    const model = await startScriptedModel({ clock, scripts: [{ name: 'all', when: {}, turns: [say('Hello.')] }] });
    const body = JSON.stringify({ model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: 'Hello?' }] });
    const headers = { 'content-type': 'application/json', 'x-api-key': 'any', 'anthropic-version': '2023-06-01' };
    const answer = await fetch(\`\${model.url}/v1/messages\`, { method: 'POST', headers, body });
    console.log(answer.status, (await answer.json()).content?.[0]?.text);
    await model.close();`);
  expect(status).toBe('200 Hello.');
});
