import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { codeSchema, renderCode } from '../../../../src/usecases/phases/code/judge-code.js';
import { issueSchema, renderIssue } from '../../../../src/usecases/phases/issue/judge-issue.js';
import { renderReview, reviewSchema } from '../../../../src/usecases/phases/review/judge-review.js';
import { renderSpec, specSchema } from '../../../../src/usecases/phases/spec/judge-spec.js';
import { renderVerify, verifySchema } from '../../../../src/usecases/phases/verify/judge-verify.js';
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

/** Each skill with the fullest prompt it can get, and the result it must give. */
const SKILLS: Readonly<Record<string, { readonly prompt: string; readonly schema: object }>> = {
  issue: { prompt: renderIssue(full), schema: issueSchema },
  spec: { prompt: renderSpec(full), schema: specSchema },
  code: { prompt: renderCode({ ...full, fix: fix('review'), aside: [], held: [] }), schema: codeSchema },
  merge: { prompt: renderCode({ ...full, fix: fix('conflict'), aside: [], held: [] }), schema: codeSchema },
  review: { prompt: renderReview({ ...full, earlier, results }), schema: reviewSchema },
  verify: { prompt: renderVerify({ ...full, results }), schema: verifySchema },
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
