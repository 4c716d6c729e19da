import { z } from 'zod';
import { ERROR_STATUSES } from '../protocol/errors.js';
import { creditTooLow, type FailOptions, fail, promptTooLong, rateLimit, usageLimit } from './fail.js';
import type { FailureTurn } from './turn.js';

/** A parsed failure still waiting for its options. */
export interface FailureForm {
  readonly as: 'failure';
  readonly build: (options: FailOptions) => FailureTurn;
}

const form = (build: FailureForm['build']): FailureForm => ({ as: 'failure', build });
const seconds = z.int().min(0);
const claim = z.enum(['five_hour', 'seven_day']).exactOptional();
const moment = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));

/** Every key that makes the API refuse. */
export const failureForms = {
  fail: z.literal(ERROR_STATUSES).transform((status) => form((options) => fail(status, options))),
  promptTooLong: z.literal(true).transform(() => form((options) => promptTooLong(options))),
  creditTooLow: z.literal(true).transform(() => form((options) => creditTooLow(options))),
  rateLimit: z
    .strictObject({ retryAfterSeconds: seconds })
    .transform((limit) => form((options) => rateLimit({ ...limit, ...options }))),
  usageLimit: z
    .union(
      [z.strictObject({ resetAt: moment, claim }), z.strictObject({ resetInSeconds: seconds, claim })],
      'give resetAt (ISO date and time with zone) or resetInSeconds, and if wanted claim (five_hour or seven_day)',
    )
    .transform((limit) => form((options) => usageLimit({ ...limit, ...options }))),
};
