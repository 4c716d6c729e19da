import type { IssueRef, RepoRef } from '../issue/ids.js';
import type { Phase } from '../issue/phase.js';
import type { Actor } from '../state/snapshot.js';
import type { Instant } from '../issue/instant.js';

/** Which issue, who did it, and when by GitHub's clock. */
interface ActorEvent {
  readonly ref: IssueRef;
  readonly actor: Actor;
  readonly at: Instant;
}

/**
 * Something that happened on GitHub, as far as it matters to Sluice. Parsed once, at the edge. It only says who did what:
 * whether they may is decided where it is consumed.
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
  /** Somebody else than us put a `phase/*` label on an issue, or took one off. */
  | (ActorEvent & { readonly kind: 'phase-label'; readonly change: 'added' | 'removed'; readonly phase: Phase })
  /** Somebody else than us took an `auto/*` label off: stop. */
  | (ActorEvent & { readonly kind: 'run-label-removed'; readonly label: string })
  /** Somebody else than us closed an issue we drive, or one that others wait for. */
  | (ActorEvent & { readonly kind: 'closed' })
  | (ActorEvent & { readonly kind: 'reopened' })
  /** The text of an issue we drive is another one now. */
  | (ActorEvent & { readonly kind: 'edited'; readonly changed: readonly ('title' | 'body')[] })
  /** The issue is elsewhere now; `null` when GitHub does not say where. */
  | (ActorEvent & { readonly kind: 'transferred'; readonly to: IssueRef | null })
  | (ActorEvent & { readonly kind: 'deleted' })
  /** Something about this issue may have changed: look. */
  | { readonly kind: 'touched'; readonly ref: IssueRef }
  /** An installation lets us into these repositories, or no longer. */
  | {
      readonly kind: 'access';
      readonly change: 'granted' | 'withdrawn';
      readonly installationId: number;
      readonly repositories: readonly RepoRef[];
    }
  /** A repository has another name or owner, or takes no changes any more. */
  | {
      readonly kind: 'repository';
      readonly change: 'renamed' | 'transferred' | 'deleted' | 'archived' | 'unarchived';
      readonly repo: RepoRef;
      /** What it was called until now, when that changed. */
      readonly before: RepoRef | null;
    };
