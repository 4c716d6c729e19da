import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Size } from '../../../../src/domain/issue/size.js';
import type { Agent, AgentJob } from '../../../../src/ports/agent.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { agentDouble, type DoubleAnswer } from '../../../support/agent/agent-double.js';
import { standardAnswer, DIARY, WORK_FILE } from '../../../support/agent/standard-agent.js';
import { BASE, type Scene } from './people-scene.js';
import { MERGED_WITH } from '../../../support/git/workspace-double.js';

/** An agent that respects what it finds: it adds lines and takes none away, so whatever is missing later was lost by us. */
export function additiveAgent(scene: Scene, clock: Clock, size: Size): Agent {
  return agentDouble({
    clock,
    answer: async (job) => {
      const usual = await standardAnswer(job, size);
      if (job.phase !== 'code' || usual.kind !== 'works') return usual;
      return { ...usual, files: await written(scene, job) };
    },
  });
}

type Files = NonNullable<Extract<DoubleAnswer, { kind: 'works' }>['files']>;

async function written(scene: Scene, job: AgentJob): Promise<Files> {
  const isMerge = job.prompt.includes('conflict found the work wanting');
  const base = isMerge ? await mergeBase(scene, job) : {};
  const before = base[WORK_FILE] ?? (await textOf(job, WORK_FILE));
  const lines = before.includes('done') ? (before.includes('polished') ? '' : 'polished\n') : 'done\n';
  const diary = base[DIARY] ?? (await textOf(job, DIARY));
  return { ...base, [WORK_FILE]: `${before}${lines}`, [DIARY]: `${diary}${job.phaseRun}\n` };
}

/** What `git merge` would leave once both sides of every file have been kept. */
async function mergeBase(scene: Scene, job: AgentJob): Promise<Files> {
  const tip = scene.tip(BASE);
  if (tip === null) return {};
  const files: Record<string, string> = {};
  for (const path of await scene.pathsAt(tip)) {
    const [ours, theirs] = [await textOf(job, path), (await scene.textAt(tip, path)) ?? ''];
    const missing = theirs.split('\n').filter((line) => line !== '' && !ours.split('\n').includes(line));
    files[path] = ours === '' ? theirs : `${ours}${missing.map((line) => `${line}\n`).join('')}`;
  }
  await writeFile(join(dirname(job.clone.path), MERGED_WITH), tip);
  return files;
}

const textOf = (job: AgentJob, file: string): Promise<string> =>
  readFile(join(job.clone.path, file), 'utf8').catch(() => '');
