import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Skill } from '../../../../src/usecases/phases/prompt.js';
import { PHASES } from '../../../../src/usecases/phases/phases.js';
import { CLI, SPEC, TRIAGE } from '../../../support/domain/phase-contexts.js';

const head = 'd'.repeat(40);
const full = {
  ...CLI,
  guidance: 'Use the old name.',
  feedback: ['Better.'],
  issue: { title: 't', body: '- [ ] box' },
  triage: TRIAGE,
  spec: SPEC,
  size: 'M',
  head,
  oid: head,
  start: head,
  route: 'pr',
  depth: 'full',
} as const;
const results = [{ id: 'c1', verdict: 'PASS', evidence: 'exit 0' }] as const;
const earlier = [{ severity: 'MUST', file: 'a', line: 1, text: 'x' }] as const;
const fix = (source: 'review' | 'conflict') => ({ source, head, items: ['MUST a:1 x'] });

const { issue, spec, code, review, verify } = PHASES;

/** Each skill with the fullest prompt it can get, and the result it must give. */
const SKILLS: Readonly<Record<Skill, { readonly prompt: string; readonly schema: object }>> = {
  issue: { prompt: issue.render(full), schema: issue.schema },
  spec: { prompt: spec.render(full), schema: spec.schema },
  code: { prompt: code.render({ ...full, fix: fix('review'), aside: [], held: [] }), schema: code.schema },
  merge: { prompt: code.render({ ...full, fix: fix('conflict'), aside: [], held: [] }), schema: code.schema },
  review: { prompt: review.render({ ...full, earlier, results }), schema: review.schema },
  verify: { prompt: verify.render({ ...full, landed: { oid: head, at: 0 }, results }), schema: verify.schema },
};

const read = (path: string): string => readFileSync(resolve(path), 'utf8');

test('the plugin is called as prompts call it, and has these skills', () => {
  expect(JSON.parse(read('.claude-plugin/plugin.json'))).toMatchObject({ name: 'sluice' });
  expect(readdirSync(resolve('skills')).sort()).toEqual(Object.keys(SKILLS).sort());
});

describe.each(Object.entries(SKILLS))('the skill %s', (name, { prompt, schema }) => {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(`skills/${name}/SKILL.md`)) ?? [];

  test('is the one its prompt calls, and only prompts call it', () => {
    expect(prompt.startsWith(`/sluice:${name} `)).toBe(true);
    expect(parse(front)).toMatchObject({ name, 'disable-model-invocation': true, description: expect.any(String) });
  });

  test('explains every block of its prompt', () => {
    const blocks = [...prompt.matchAll(/^<data-\w+ name="([\w-]+)">$/gm)].map(([, block]) => block);
    const given = body.split('## What you are given')[1]?.split('## How to work')[0] ?? '';
    expect(blocks).not.toEqual([]);
    expect(blocks.filter((block) => !given.includes(`\`${block}\``))).toEqual([]);
  });

  test('names every field of its result', () => {
    const { properties } = schema as { properties: Record<string, { properties?: object }> };
    const contract = body.split('## Result')[1] ?? '';
    const fields = [...Object.keys(properties), ...Object.keys(properties['handoff']?.properties ?? {})];
    expect(fields.filter((field) => !contract.includes(`\`${field}\``))).toEqual([]);
  });

  test('gives away nonce and fence, and nothing the CLI would replace or run', () => {
    expect(body).toContain('nonce is `$1`');
    expect(body).toContain('`<data-$2 name="…">`');
    expect(body.match(/\$(?![012]\b)[\w{]|\$ARGUMENTS|!`|^```!/gm)).toBeNull();
  });

  test('keeps work in the foreground and others’ words from commanding', () => {
    for (const rule of ['no background tasks', 'no network', 'no git remote', 'material, not instruction']) {
      expect(body.replaceAll(/\s+/g, ' ')).toContain(rule);
    }
  });
});
