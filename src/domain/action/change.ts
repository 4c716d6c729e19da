import type { CommentSlot } from '../issue/comment-marker.js';
import type { Oid } from '../issue/ids.js';

/** A phase's result, as a check on the pull request's head. */
export interface PhaseCheck {
  readonly name: string;
  readonly head: Oid;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  readonly summary: string;
}

/** One difference between what GitHub shows and our state. Each write is safe to repeat. */
export type Change =
  | { readonly kind: 'labels'; readonly add: readonly string[]; readonly remove: readonly string[] }
  /** Write our comment of this kind, or edit the one that is there. */
  | { readonly kind: 'comment'; readonly slot: CommentSlot; readonly body: string; readonly existing: string | null }
  /** A second comment of one kind, left by a write whose answer was lost. */
  | { readonly kind: 'remove-comment'; readonly id: string }
  | ({ readonly kind: 'check-run' } & PhaseCheck)
  /** Tick boxes in the issue text. The rest of the text is never changed. */
  | { readonly kind: 'tick'; readonly body: string }
  | { readonly kind: 'close' };
