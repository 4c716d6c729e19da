import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StateSeals } from '../../domain/limits/policy.js';
import type { KnownState } from '../../domain/state/snapshot.js';
import type { StateSubject } from '../../ports/state-store.js';
import type { SigningKey } from './signature.js';
import type { Signing } from './state-text.js';

/** Signs which state of an issue is the newest. */
export interface StateSealFormat {
  /** `null` where there is no key to sign with. */
  format(subject: StateSubject, known: KnownState): string | null;
  /** `null` for a seal that we did not write about this issue. */
  parse(subject: StateSubject, seal: string): KnownState | null;
}

const FORM = /^(\d{1,15}) ([0-9a-f]{40}) (done|open) (\d{1,15}) ([\w.-]{1,64}) ([0-9a-f]{64})$/;

export function createStateSealFormat({ keys }: Pick<Signing, 'keys'>): StateSealFormat {
  return {
    format: (subject, known) => {
      if (keys === null) return null;
      const { epoch, oid, isDone, leasedUntil } = known;
      return `${epoch} ${oid} ${isDone ? 'done' : 'open'} ${leasedUntil} ${keys.current.id} ${sign(keys.current, subject, known)}`;
    },
    parse: (subject, seal) => {
      const [, epoch, oid = '', rests, leasedUntil, id, signature = ''] = FORM.exec(seal) ?? [];
      const key = [keys?.current, keys?.previous].find((candidate) => candidate !== undefined && candidate.id === id);
      if (key === undefined) return null;
      const known = { epoch: Number(epoch), oid, isDone: rests === 'done', leasedUntil: Number(leasedUntil) };
      return timingSafeEqual(Buffer.from(sign(key, subject, known)), Buffer.from(signature)) ? known : null;
    },
  };
}

/** Seals for the status comment, which the domain renders. */
export const stateSeals = (format: StateSealFormat): StateSeals => ({
  of: (issue, known) => format.format(issue, known),
  isOurs: (issue, seal) => format.parse(issue, seal) !== null,
});

function sign({ id, secret }: SigningKey, { repositoryDatabaseId, ref }: StateSubject, known: KnownState): string {
  const { epoch, oid, isDone, leasedUntil } = known;
  const parts = ['sluice-seen', repositoryDatabaseId, ref.number, epoch, oid, isDone, leasedUntil, id];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
}
