import type { Oid } from '../issue/ids.js';

/** Work that was judged good and is not where it should be yet: only pushing it is left, which takes no agent. */
export interface ReadyWork {
  readonly commit: Oid;
  readonly title: string;
  readonly summary: string;
}

/** Work that changes what only people may change. It is on no branch until a permitted person has approved exactly this commit. */
export interface HeldWork extends ReadyWork {
  readonly paths: readonly string[];
  /** Who approved it; `null` while it waits. */
  readonly approvedBy: string | null;
}
