import { z } from 'zod';
import { isBranchName } from '../../domain/issue/branch-name.js';
import { MODEL_TIERS } from '../../domain/issue/options.js';
import { PHASES } from '../../domain/issue/phase.js';
import { ENTRY_STATUSES } from '../../domain/events/run-entry.js';
import { STOP_KINDS } from '../../domain/events/run-event.js';

/* Schemas of requests. Strict: a misspelt name is refused, not ignored. */

/* Checks only the form. A number that cannot exist gets 404, like any missing issue. */
const number = z.string().regex(/^[1-9]\d{0,29}$/, 'not the number of an issue');
const repository = z
  .string()
  .regex(/^[^\s/#]{1,100}\/[^\s/#]{1,100}$/, 'a repository is written owner/name')
  .describe('`owner/name`');
const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'a number from 1 to 999')
  .default('100')
  .describe('How many at most.');

/** Only a note in the run's record; the token authorises. */
const by = z
  .string()
  .regex(/^[A-Za-z0-9][\w-]{0,38}(\[bot\])?$/, 'not a login')
  .describe('On whose behalf: a login, kept as a note.')
  .exactOptional();

/** The options of `/auto`, by the names they have in the run's record. */
export const runOptions = z.strictObject({
  route: z.enum(['patch', 'pr']).describe('`--patch`, `--pr`').exactOptional(),
  review: z.enum(['light', 'full']).describe('`--review`').exactOptional(),
  base: z.string().refine(isBranchName, 'not a branch name').describe('`--base`').exactOptional(),
  stopAt: z.enum(PHASES).describe('`--stop-at`').exactOptional(),
  model: z.enum(MODEL_TIERS).describe('`--model`').exactOptional(),
  budgetUsd: z.number().positive().max(10_000).describe('`--budget`').exactOptional(),
  timeoutMin: z.int().positive().max(10_080).describe('`--timeout`').exactOptional(),
  maxIterations: z.int().positive().max(200).describe('`--max-iterations`').exactOptional(),
  dryRun: z.boolean().describe('`--dry-run`: only say what would be done').exactOptional(),
});

export const startBody = z.strictObject({ ...runOptions.shape, by });

export const stopQuery = z.strictObject({
  how: z
    .enum(STOP_KINDS)
    .default('stop')
    .describe('`stop` ends the running phase and keeps its work; `pause` lets it finish.'),
  by,
});

export const lookupQuery = z.strictObject({ repo: repository, issue: number });

export const runsQuery = z.strictObject({
  status: z
    .enum(['active', 'all', ...ENTRY_STATUSES])
    .default('active')
    .describe('`active`: every run that goes on without a person.'),
  repo: repository.exactOptional(),
  limit,
  after: z.string().max(300).describe('The `next` of the page before.').exactOptional(),
});

export const eventsQuery = z.strictObject({
  since: z
    .string()
    .max(40)
    .describe('The id to go on from; `0-0` for the oldest there is. A `Last-Event-ID` header comes before it.')
    .exactOptional(),
  repo: repository.exactOptional(),
  issue: number.exactOptional(),
  limit,
});

export const killSwitchBody = z.strictObject({
  on: z.boolean().describe('Whether nothing may start.'),
  why: z.string().trim().min(1).max(300).optional().describe('What people are told.'),
  by,
});

export const clearBody = z.strictObject({ by });
