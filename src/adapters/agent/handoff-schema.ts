import { z } from 'zod';
import type { Handoff } from '../../domain/agent/handoff.js';

const texts = { type: 'array', items: { type: 'string' } };

/** The result of a session that only has to hand over. */
export const HANDOFF_SCHEMA = {
  type: 'object',
  properties: {
    nonce: { type: 'string', description: 'The nonce of this run, exactly as it was given at the start.' },
    handoff: {
      type: 'object',
      properties: {
        progress: { type: 'string', minLength: 1, description: 'What is done and what is left.' },
        files: { ...texts, description: 'Files that matter.' },
        testStatus: { enum: ['passed', 'failed', 'not-run'] },
        decisions: { ...texts, minItems: 2, maxItems: 5, description: 'What was decided, and why.' },
        openErrors: { ...texts, description: 'What is known to be wrong or unfinished.' },
      },
      required: ['progress', 'files', 'testStatus', 'decisions', 'openErrors'],
      additionalProperties: false,
    },
  },
  required: ['nonce', 'handoff'],
  additionalProperties: false,
};

const list = z.array(z.string()).catch([]);
const withHandoff = z.object({
  handoff: z.object({
    progress: z.string().trim().min(1),
    files: list,
    testStatus: z.enum(['passed', 'failed', 'not-run']).catch('not-run'),
    decisions: list,
    openErrors: list,
  }),
});

/** The handoff in a result; `null` when there is none. */
export function handoffIn(result: unknown): Handoff | null {
  const given = withHandoff.safeParse(result).data;
  return given === undefined ? null : given.handoff;
}
