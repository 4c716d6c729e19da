import type { Finding } from '../issue/finding.js';
import type { Oid } from '../issue/ids.js';
import type { Instant } from '../issue/instant.js';

export interface ReviewRecord {
  readonly head: Oid;
  readonly verdict: 'pass' | 'fix';
  readonly findings: readonly Finding[];
  readonly score: number;
  readonly summary: string;
}

/** A permitted person's decision to accept one head although our review demands changes. */
export interface Overruling {
  readonly head: Oid;
  readonly by: string;
  readonly at: Instant;
}
