import { pino } from 'pino';
import type { Redact } from '../../domain/sanitise/redact.js';
import type { Log } from '../../ports/log.js';

/** The service's log: JSON lines on standard output, with secrets removed. */
export function createLog(
  redact: Redact,
  out: { write(line: string): unknown } = pino.destination({ sync: true }),
): Log {
  const write = (line: string): void => void out.write(redact(line).replaceAll(CUT_ESCAPE, '$1‹redacted›'));
  return pino({ serializers: { error: pino.stdSerializers.err } }, { write });
}

/** A half escape before a redaction would break the JSON line. */
const CUT_ESCAPE = /(?<!\\)((?:\\\\)*)\\‹redacted›/g;
