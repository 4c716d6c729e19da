import type { StateReading } from '../../state/snapshot.js';
import { quoteLine } from '../../sanitise/publish.js';
import { endSentence, formatMoment } from '../phrases/figures.js';

/** A state that is never continued. */
export type UntrustedState = Extract<StateReading, { kind: 'unverifiable' }>;

/** What the status comment says while the state of an issue cannot be trusted. */
export function untrustedText(number: number, reading: UntrustedState): string {
  return [
    '### Stopped: the state of this issue cannot be trusted',
    '',
    `Sluice keeps what it knows about an issue in \`refs/sluice/issue-${number}\`. Nothing is done here while that cannot be trusted.`,
    '',
    `**Why:** ${endSentence(quoteLine(reading.why, 600))}`,
    '',
    `**What you can do:** Somebody who can push to this repository moved that ref; find out who, and why. ${remedy(reading)}`,
  ].join('\n');
}

function remedy({ known }: UntrustedState): string {
  const lost =
    'Somebody with write permission can start afresh with `/auto`; what was noted so far does not count then.';
  if (known === undefined) return lost;
  const back = `Once ${known.oid} is put back there, \`/auto status\` lets the run go on as it was. Or: ${lost}`;
  return known.leasedUntil === 0 ? back : `${back} That takes effect from ${formatMoment(known.leasedUntil)} on.`;
}
