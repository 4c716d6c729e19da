import type { IssueRef } from '../issue/ids.js';
import type { Actor } from '../state/snapshot.js';
import type { Instant } from '../issue/instant.js';

/**
 * Something that happened on GitHub and matters to Sluice. Parsed once, at the edge. It only says what happened:
 * permissions are checked where the event is handled.
 */
export type GitHubEvent =
  /** A person wrote a comment that may hold a command. */
  | {
      readonly kind: 'comment';
      /** With `isPull` its number is that of a pull request, not of the issue behind it. */
      readonly ref: IssueRef;
      readonly isPull: boolean;
      readonly commentId: string;
      /** When it was written. */
      readonly at: Instant;
      readonly author: Actor;
      readonly body: string;
    }
  /** Something about this issue may have changed. What changed, and who did it, is read from the issue itself. */
  | { readonly kind: 'touched'; readonly ref: IssueRef };
