import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Oid } from '../../domain/issue/ids.js';
import type { StateSubject } from '../../ports/state-store.js';

export interface SigningKey {
  /** The key's id, written beside each signature. */
  readonly id: string;
  readonly secret: string;
}

export interface SigningKeys {
  readonly current: SigningKey;
  /** Still accepted, but not used for new signatures. */
  readonly previous?: SigningKey;
}

/** What is signed: this text, for this issue, at this place in its history. */
export interface Signed {
  readonly subject: StateSubject;
  readonly epoch: number;
  readonly parent: Oid | null;
  readonly content: string;
}

export function sign({ id, secret }: SigningKey, { subject, epoch, parent, content }: Signed): string {
  const parts = ['sluice-state', subject.repositoryDatabaseId, subject.ref.number, epoch, parent, id, content];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
}

export function isSignedBy(key: SigningKey, signature: string, signed: Signed): boolean {
  const [expected, given] = [Buffer.from(sign(key, signed)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
