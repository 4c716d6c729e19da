import { pino } from 'pino';
import type { Redact } from '../../domain/sanitise/redact.js';
import type { Log } from '../../ports/log.js';

/** The service's log: a line of JSON each, on standard output, and nothing secret in any of them. */
export function createLog(
  redact: Redact,
  out: { write(line: string): unknown } = pino.destination({ sync: true }),
): Log {
  const write = (line: string): void => void out.write(redact(line).replaceAll(CUT_ESCAPE, '$1‹redacted›'));
  return pino({ serializers: { error: pino.stdSerializers.err } }, { write });
}

/** Half of an escape before what was taken out would spoil the line. */
const CUT_ESCAPE = /(?<!\\)((?:\\\\)*)\\‹redacted›/g;
