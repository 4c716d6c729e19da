import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkoutStamp } from '../../../../src/adapters/agent/checkout-stamp.js';
import { watchEventsOf } from '../../../../src/adapters/agent/stream-state.js';
import { parseStreamLine } from '../../../../src/adapters/agent/stream-event.js';
import { keepTranscripts } from '../../../../src/adapters/agent/transcripts.js';
import type { WatchEvent } from '../../../../src/domain/agent/supervision.js';

const seen = (value: unknown): readonly WatchEvent[] | null => {
  const event = parseStreamLine(typeof value === 'string' ? value : JSON.stringify(value));
  return event === null ? null : watchEventsOf(event);
};
const assistant = (content: unknown, more: object = {}): object => ({
  type: 'assistant',
  message: {
    id: 'm',
    content,
    usage: { input_tokens: 3, cache_read_input_tokens: 40, cache_creation_input_tokens: 500 },
  },
  ...more,
});
const user = (content: unknown, tool_use_result?: unknown): object => ({
  type: 'user',
  message: { content },
  tool_use_result,
});
const text = (words: string): object => ({ type: 'text', text: words });
const use = (name: string, input: unknown = {}): object => ({ type: 'tool_use', id: `t-${name}`, name, input });
const ended = { type: 'tool_result', tool_use_id: 't' };
const toolEnd = (hasChangedFiles: boolean): readonly WatchEvent[] => [{ kind: 'tool-end', tool: 't', hasChangedFiles }];
const message = (hash: unknown, windowTokens: number | null = 543): object => ({
  kind: 'message',
  id: 'm',
  hash,
  windowTokens,
});

describe('what supervision sees of', () => {
  test.each<[string, unknown, unknown]>([
    ['the first word', { type: 'system', subtype: 'init' }, [{ kind: 'init' }]],
    ['a heartbeat', { type: 'tool_progress', heartbeat: true }, [{ kind: 'stir' }]],
    ['a part of a message', '{"type":"stream_event","event":{}}', [{ kind: 'stir' }]],
    ['a torn part of a message', '{"type":"stream_event","ev', null],
    ['no event', 'Warning: hm', null],
    ['an event of no type', { type: 7 }, [{ kind: 'stir' }]],
    ['a wait', { type: 'system', subtype: 'api_retry', retry_delay_ms: 1500 }, [{ kind: 'retry', delayMs: 1500 }]],
    [
      'a wait of no length',
      { type: 'system', subtype: 'api_retry', retry_delay_ms: 'x' },
      [{ kind: 'retry', delayMs: 0 }],
    ],
    ['a compaction', { type: 'system', subtype: 'compact_boundary' }, [{ kind: 'compacted' }]],
    ['a result', { type: 'result' }, [{ kind: 'result' }]],
    ['a message', assistant([text('I look at the file first.')]), [message(expect.any(String))]],
    ['a message too short to compare', assistant([text('Now this.')]), [message(null)]],
    ['a message of a subagent', assistant([text('Hm.')], { parent_tool_use_id: 't' }), [message(null, null)]],
    ['a message with bad parts', assistant([7, { type: 'text' }, text('Hm.')]), [message(null)]],
    ['a message of no parts', assistant('text'), [message(null)]],
    ['a message that is none', { type: 'assistant', message: 'text' }, [{ kind: 'stir' }]],
    [
      'a message the CLI made up',
      { type: 'assistant', message: { id: 'm', model: '<synthetic>' } },
      [{ kind: 'stir' }],
    ],
    [
      'a tool call',
      assistant([use('Bash', { command: 'ls' })]),
      [message(expect.any(String)), { kind: 'tool-start', tool: 't-Bash', isResult: false }],
    ],
    [
      'the call that gives the result, which is not compared',
      assistant([use('StructuredOutput')]),
      [message(null), { kind: 'tool-start', tool: 't-StructuredOutput', isResult: true }],
    ],
    ['a command that changed nothing', user([ended], { stdout: 'x' }), toolEnd(false)],
    ['a command that changed files', user([ended], { bashEditDiff: { changedFiles: ['a'] } }), toolEnd(true)],
    ['a file that was written', user([ended], { filePath: 'a', structuredPatch: [] }), toolEnd(true)],
    ['a file that was read', user([ended], { filePath: 'a', content: 'x' }), toolEnd(false)],
    [
      'a file that could not be written',
      user([{ ...ended, is_error: true }], { filePath: 'a', structuredPatch: [] }),
      toolEnd(false),
    ],
    ['a tool with a result of a wrong type', user([ended], 'done'), toolEnd(false)],
    ['words of the CLI to the model', user('Continue.'), [{ kind: 'stir' }]],
  ])('%s', (_, line, expected) => {
    expect(seen(line)).toEqual(expected);
  });

  test('the same call twice is the same, with another input another', () => {
    const hash = (input: unknown): unknown => seen(assistant([use('Bash', input)]))?.[0];
    expect(hash({ command: 'ls' })).toEqual(hash({ command: 'ls' }));
    expect(hash({ command: 'ls' })).not.toEqual(hash({ command: 'ls -l' }));
  });
});

describe('in a folder', () => {
  const place = { root: '' };
  beforeEach(async () => {
    place.root = await mkdtemp(join(tmpdir(), 'events-'));
  });
  afterEach(async () => {
    await rm(place.root, { recursive: true, force: true });
  });

  test('a change shows, nothing does not, and dependencies are not looked at', async () => {
    await mkdir(join(place.root, 'src/deep'), { recursive: true });
    await mkdir(join(place.root, 'node_modules/x'), { recursive: true });
    const first = await checkoutStamp(place.root);
    expect(await checkoutStamp(place.root)).toBe(first);
    await writeFile(join(place.root, 'node_modules/x/a.js'), 'x');
    expect(await checkoutStamp(place.root)).toBe(first);
    await writeFile(join(place.root, 'src/deep/a.js'), 'x');
    expect(await checkoutStamp(place.root)).not.toBe(first);
    expect(await checkoutStamp(join(place.root, 'gone'))).toBe('0 0');
  });

  test('conversations are kept, but never what a link leads to', async () => {
    const projects = join(place.root, 'home/.claude/projects');
    await mkdir(join(projects, 'clone'), { recursive: true });
    await writeFile(join(place.root, 'secret'), 'of the host');
    await writeFile(join(projects, 'clone/s-1.jsonl'), '{"said":"token"}');
    await symlink(join(place.root, 'secret'), join(projects, 'clone/s-2.jsonl'));
    await symlink(place.root, join(projects, 'elsewhere'));
    const policy = { keep: 'all', folder: join(place.root, 'kept'), redact: () => 'redacted' } as const;
    const run = { home: join(place.root, 'home'), phaseRun: 'a/b', sessions: ['s-1', 's-2'], hasSucceeded: true };
    await keepTranscripts({ ...policy, keep: 'none' }, run);
    await keepTranscripts({ ...policy, keep: 'failed' }, run);
    expect(await readdir(place.root)).not.toContain('kept');
    await keepTranscripts(policy, run);
    expect(await readdir(join(place.root, 'kept/a_b'))).toEqual(['s-1.jsonl']);
  });
});
