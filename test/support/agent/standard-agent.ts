import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from '../../../src/domain/issue/size.js';
import type { Agent, AgentJob } from '../../../src/ports/agent.js';
import type { Clock, Instant } from '../../../src/ports/clock.js';
import { agentDouble, type DoubleAnswer } from './agent-double.js';

/** The file of the finished work. The review of a pull request finds its first version incomplete. */
export const WORK_FILE = 'work.txt';
/** A line for every code run, so that repeated work shows. */
export const DIARY = 'diary.txt';

/** An agent that knows only its clone and prompt, so that every instance gets the same work from it. */
export function standardAgent(clock: Clock, size: Size): Agent {
  return agentDouble({ clock, answer: (job) => standardAnswer(job, size) });
}

/** An agent that writes half of the work and then, once, waits to be stopped or falls silent. */
export function interruptedAgent(clock: Clock, size: Size, ending: 'waits' | 'stalls'): Agent {
  return agentDouble({
    clock,
    answer: async (job) => {
      const [before, usual] = [await textOf(job, WORK_FILE), await standardAnswer(job, size)];
      if (job.phase !== 'code' || usual.kind !== 'works') return usual;
      if (before !== '') return { ...usual, files: { ...usual.files, [WORK_FILE]: `${before}done\n` } };
      const files = { ...usual.files, [WORK_FILE]: 'half\n' };
      for (const [path, text] of Object.entries(files)) await writeFile(join(job.clone.path, path), text);
      return ending === 'waits' ? { kind: 'never-ends' } : { kind: 'stalled', why: 'it said nothing more' };
    },
  });
}

/** An agent whose account has no quota for code before this time. */
export function limitedAgent(clock: Clock, size: Size, until: Instant): Agent {
  return agentDouble({
    clock,
    answer: (job) =>
      job.phase === 'code' && clock.now() < until ? { kind: 'quota', until } : standardAnswer(job, size),
  });
}

/** What it does for each phase. */
export async function standardAnswer(job: AgentJob, size: Size): Promise<DoubleAnswer> {
  const common = { nonce: job.nonce, handoff: HANDOFF };
  switch (job.phase) {
    case 'issue': {
      const criteria = [{ text: 'The work is done', verify: `file_contains ${WORK_FILE} done`, stage: 'pre-merge' }];
      const text = { reasons: ['One file.'], summary: 'Do the work.', questions: [] };
      return { kind: 'works', result: { ...common, ...text, type: 'task', size, criteria } };
    }
    case 'spec': {
      const steps = [{ text: 'Write the file.', criteria: ['c1'] }];
      const text = { approach: 'Write it down.', files: [WORK_FILE, DIARY], risks: [] };
      return { kind: 'works', result: { ...common, ...text, steps, size: null, blocked: null } };
    }
    case 'code': {
      const before = await textOf(job, WORK_FILE);
      const files = {
        [WORK_FILE]: before === '' ? 'done\n' : 'done and polished\n',
        [DIARY]: `${await textOf(job, DIARY)}${job.phaseRun}\n`,
      };
      return { kind: 'works', files, result: { ...common, title: 'Do it', summary: 'It is done.', blocked: null } };
    }
    case 'review': {
      const polished = (await textOf(job, WORK_FILE)).includes('polished');
      const must = { severity: 'MUST', file: WORK_FILE, line: 1, text: 'Polish it.' };
      return {
        kind: 'works',
        result: { ...common, summary: 'Read.', findings: polished ? [] : [must], scores: SCORES },
      };
    }
    case 'verify':
      return { kind: 'works', result: { ...common, results: [] } };
  }
}

/** The handoff that every result carries. */
export const HANDOFF = {
  progress: 'As planned.',
  files: [WORK_FILE],
  testStatus: 'not-run',
  decisions: ['Keep it small.', 'One file.'],
  openErrors: [],
};

const GOOD = { score: 0.9, evidence: `${WORK_FILE}:1 reads well` };
export const SCORES = { d1: GOOD, d2: GOOD, d3: GOOD, d4: GOOD, d5: GOOD, d6: GOOD };

const textOf = (job: AgentJob, file: string): Promise<string> =>
  readFile(join(job.clone.path, file), 'utf8').catch(() => '');
