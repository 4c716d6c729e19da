import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach } from '@jest/globals';
import { execa } from 'execa';
import { parse } from 'yaml';
import { createBrain } from '../../../../../src/entry/demo/brain/brain.js';
import { DEMO_SEED } from '../../../../../src/entry/demo/brain/demo-world.js';
import { type BodyMessage, Playbook, type ReplyBlock, toModelRequest } from '#scripted-claude';

interface DemoRepository {
  readonly files: Readonly<Record<string, string>>;
  readonly issues: readonly { readonly title: string; readonly body: string }[];
}

/** The demo's repository, as its seed says. */
export const DEMO = (parse(DEMO_SEED) as { repositories: readonly [DemoRepository] }).repositories[0];

const ENV = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Agent',
  GIT_AUTHOR_EMAIL: 'agent@example.com',
  GIT_COMMITTER_NAME: 'Agent',
  GIT_COMMITTER_EMAIL: 'agent@example.com',
};

export interface Checkout {
  readonly path: string;
  git(...args: readonly string[]): Promise<string>;
  /** The tip. */
  head(): Promise<string>;
  shell(command: string): Promise<{ readonly passed: boolean; readonly output: string }>;
}

export async function seedCheckout(path: string): Promise<Checkout> {
  const shell: Checkout['shell'] = async (command) => {
    // Node's own test runner tells its children through this variable that they are tests themselves.
    const env = { ...ENV, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
    const { exitCode, all } = await execa('bash', ['-c', command], { cwd: path, env, reject: false, all: true });
    return { passed: exitCode === 0, output: all };
  };
  const git: Checkout['git'] = async (...args) => (await execa('git', args, { cwd: path, env: ENV })).stdout;
  for (const [file, text] of Object.entries(DEMO.files)) await put(join(path, file), text);
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Agent');
  await git('config', 'user.email', 'agent@example.com');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Found the repository');
  return { path, git, head: () => git('rev-parse', 'HEAD'), shell };
}

/** Checkouts that are removed after each test of the file that calls this, or once after all of them. */
export function checkoutSeeder(removed: 'each' | 'once' = 'each'): () => Promise<Checkout> {
  const roots: string[] = [];
  (removed === 'each' ? afterEach : afterAll)(async () => {
    await Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true, force: true })));
  });
  return async () => {
    const root = await mkdtemp(join(tmpdir(), 'brain-'));
    roots.push(root);
    return seedCheckout(root);
  };
}

/** A skill's text as the CLI fills it in. */
function expand(prompt: string, skillText: string | undefined): string[] {
  const [, name = '', args = ''] = /^\/(\S+) ([\s\S]*)$/.exec(prompt) ?? [];
  const words = args.split(/\s+/);
  const text = skillText ?? readFileSync(resolve('skills', name.replace('sluice:', ''), 'SKILL.md'), 'utf8');
  const body = text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/\$([0-9])/g, (whole, index: string) => words[Number(index)] ?? whole);
  return [`<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`, body];
}

export interface BrainRun {
  /** What it returned; `null` when it only talked. */
  readonly result: unknown;
  readonly said: readonly string[];
  readonly tools: readonly string[];
}

/** Plays the CLI's part: lets the brain answer and does what its tool calls say, until it returns a result or stops calling. */
export async function answerAsCli(
  checkout: Pick<Checkout, 'path' | 'shell'>,
  prompt: string,
  skillText?: string,
): Promise<BrainRun> {
  const playbook = new Playbook(createBrain());
  const messages: BodyMessage[] = [
    { role: 'user', content: expand(prompt, skillText).map((text) => ({ type: 'text', text })) },
  ];
  const said: string[] = [];
  const tools: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const choice = await playbook.choose(toModelRequest({ model: 'm', messages }, {}));
    if ('because' in choice || choice.turn.kind !== 'message') throw new Error('The brain did not answer.');
    const calls: (ReplyBlock & { type: 'tool' })[] = [];
    for (const block of choice.turn.blocks) {
      if (block.type === 'tool') calls.push(block);
      else said.push(block.text);
    }
    const result = calls.find(({ name }) => name === 'StructuredOutput');
    if (result !== undefined || calls.length === 0) return { result: result?.input ?? null, said, tools };
    tools.push(...calls.map(({ name }) => name));
    const id = (index: number): string => `t${turn}-${index}`;
    messages.push({
      role: 'assistant',
      content: calls.map(({ name, input }, index) => ({ type: 'tool_use', id: id(index), name, input })),
    });
    const results = [];
    for (const [index, call] of calls.entries())
      results.push({ type: 'tool_result' as const, tool_use_id: id(index), ...(await use(checkout, call)) });
    messages.push({ role: 'user', content: results });
  }
  throw new Error('The brain goes on for ever.');
}

async function use(
  checkout: Pick<Checkout, 'path' | 'shell'>,
  { name, input }: ReplyBlock & { type: 'tool' },
): Promise<{ content: string; is_error: boolean }> {
  const file = join(checkout.path, String(input['file_path']));
  if (name === 'Bash') {
    const { passed, output } = await checkout.shell(String(input['command']));
    return { content: output, is_error: !passed };
  }
  if (name === 'Write') await put(file, String(input['content']));
  else if (name === 'Edit')
    await put(file, (await readFile(file, 'utf8')).replace(String(input['old_string']), String(input['new_string'])));
  else throw new Error(`The stage has no tool ${name}.`);
  return { content: 'Done.', is_error: false };
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
