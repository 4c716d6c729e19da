import type { Oid } from '../issue/ids.js';

/** Work that was accepted but not pushed yet. Pushing it needs no agent. */
export interface ReadyWork {
  readonly commit: Oid;
  readonly title: string;
  readonly summary: string;
}

/** Work that changes protected files. It is on no branch until a permitted person approves exactly this commit. */
export interface HeldWork extends ReadyWork {
  readonly paths: readonly string[];
  /** Who approved it; `null` while it waits. */
  readonly approvedBy: string | null;
}
