import { z } from 'zod';
import { ERROR_TYPES } from '../protocol/errors.js';
import { cut, drip, errorEvent, hang, malformed, reset, stall } from './break.js';
import type { MessageTurn } from './turn.js';

/** A parsed disturbance, to be put on an answer or, without one, on a text of its own. */
export interface BreakForm {
  readonly as: 'break';
  readonly build: (turn: MessageTurn | undefined) => MessageTurn;
}

const form = (build: BreakForm['build']): BreakForm => ({ as: 'break', build });
const count = z.int().min(0);
const point = { afterEvents: count.exactOptional(), afterBytes: count.exactOptional() };
const hold = { forMs: count.exactOptional() };

/** Every key that disturbs how an answer arrives. */
export const breakForms = {
  cut: z.strictObject(point).transform((options) => form((turn) => cut(options, turn))),
  stall: z.strictObject({ ...point, ...hold }).transform((options) => form((turn) => stall(options, turn))),
  hang: z.strictObject(hold).transform((options) => form((turn) => hang(options, turn))),
  reset: z.literal(true).transform(() => form((turn) => reset({}, turn))),
  drip: z.strictObject({ everyMs: count }).transform((options) => form((turn) => drip(options, turn))),
  malformed: z.strictObject(point).transform((options) => form((turn) => malformed(options, turn))),
  errorEvent: z
    .strictObject({ ...point, type: z.enum(ERROR_TYPES).exactOptional(), message: z.string().exactOptional() })
    .transform((options) => form((turn) => errorEvent(options, turn))),
};
