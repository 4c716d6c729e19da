import { type RepoRef, formatRepo } from '../../issue/ids.js';
import type { Instant } from '../../issue/instant.js';
import { quoteLine } from '../../sanitise/publish.js';
import { endSentence, formatMoment } from '../phrases/figures.js';
import { shortHash, textHash } from '../phrases/held-work.js';

/** Why a request is refused. */
export type Refusal =
  /** `needs` is the permission the command requires. */
  | { readonly kind: 'no-permission'; readonly login: string; readonly needs: 'write' | 'triage' }
  /** The issue text was changed after the command was written. */
  | { readonly kind: 'text-changed'; readonly number: number }
  /** Somebody moved the state ref while a run was in progress. */
  | { readonly kind: 'still-leased'; readonly number: number; readonly until: Instant }
  /** People without permission changed the text after it was last authorised. */
  | { readonly kind: 'text-unvouched'; readonly number: number; readonly by: string; readonly hash: string }
  /** The comment with the command was edited. */
  | { readonly kind: 'comment-edited' }
  | { readonly kind: 'too-many-commands'; readonly perHour: number; readonly until: Instant }
  | { readonly kind: 'repository-not-allowed'; readonly repo: RepoRef }
  | { readonly kind: 'issue-closed'; readonly number: number }
  | { readonly kind: 'issue-gone'; readonly number: number }
  | { readonly kind: 'already-running'; readonly number: number }
  /** Asked to continue a run that is still stopping. */
  | { readonly kind: 'stopping'; readonly number: number }
  | { readonly kind: 'not-running'; readonly number: number }
  /** A label that asks for work, set by somebody without permission. */
  | { readonly kind: 'label'; readonly login: string; readonly label: string }
  /** A label that changes the size, set by somebody without permission. */
  | { readonly kind: 'size-label'; readonly login: string; readonly label: string }
  /** This run can no longer use the new text. */
  | { readonly kind: 'text-too-late'; readonly number: number; readonly hash: string }
  /** The hash belongs to other criteria than the current ones. */
  | { readonly kind: 'other-hash'; readonly hash: string }
  /** Another commit waits for approval than the one named, or none was named. */
  | { readonly kind: 'other-commit'; readonly commit: string }
  | { readonly kind: 'nothing-to-approve'; readonly number: number }
  /** A command without a number on a pull request that is not ours. */
  | { readonly kind: 'not-our-pull'; readonly number: number }
  /** There is no run to continue. */
  | { readonly kind: 'never-started'; readonly number: number }
  /** A batch that is not a list of issues. */
  | { readonly kind: 'batch-unlisted'; readonly of: 'count' | 'resume' }
  /** The repository has no commit to start from. */
  | { readonly kind: 'no-commit'; readonly repo: RepoRef }
  /** GitHub does not permit it to the App until somebody changes something. */
  | { readonly kind: 'github-refused'; readonly why: string }
  /** It failed too often. */
  | { readonly kind: 'gave-up'; readonly why: string };

/** The reason in one line, and what would work instead. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'no-permission':
      return refusal.needs === 'write'
        ? `${refusal.login}, that takes write permission in this repository, so it was not done. Somebody who has it can write the command here; \`/auto status\` and \`/auto explain\` take triage permission only.`
        : `${refusal.login}, that takes triage permission in this repository. The status comment shows where the issue stands.`;
    case 'text-changed':
      return `Issue ${refusal.number} was changed after this was asked for, by somebody without write permission. Read it as it is now, then ask again.`;
    case 'still-leased':
      return `The state of issue ${refusal.number} was moved by somebody else while a run was at work, and that run may not have ended yet. Write \`/auto\` again after ${formatMoment(refusal.until)}.`;
    case 'text-unvouched':
      return `The text of issue ${refusal.number} was changed by ${refusal.by} since somebody with write permission last vouched for it, so nothing was started on it. Read it as it is now; \`/auto approve ${textHash(refusal.hash)} ${refusal.number}\` vouches for exactly this text and goes on with it.`;
    case 'text-too-late':
      return `The work on issue ${refusal.number} has landed and is being verified, so this run takes up no other text. When it is over, reopen the issue; \`/auto approve ${textHash(refusal.hash)} ${refusal.number}\` then starts on the new text.`;
    case 'comment-edited':
      return 'This comment was changed after it was written, so it is not carried out: only new comments are commands. Write the command in a new comment.';
    case 'size-label':
      return `${refusal.login}, \`${refusal.label}\` would change how closely the work on this issue is looked at, which takes write permission here. The label was removed; somebody with write permission can set it.`;
    case 'too-many-commands':
      return `That is more than ${refusal.perHour} commands in an hour. This one was not carried out; write it again after ${formatMoment(refusal.until)}.`;
    case 'repository-not-allowed':
      return `This Sluice does not work on ${formatRepo(refusal.repo)}. Its operator can allow the repository in its configuration.`;
    case 'issue-closed':
      return `Issue ${refusal.number} is closed. Reopen it, then write \`/auto\`.`;
    case 'issue-gone':
      return `There is no issue ${refusal.number} here that Sluice could see. \`/auto N\` takes the number of an open issue of this repository.`;
    case 'already-running':
      return `Issue ${refusal.number} is being worked on already; its status comment shows how far it is. \`/auto stop\` ends that, \`/auto pause\` lets the running phase finish.`;
    case 'stopping':
      return `Issue ${refusal.number} is being stopped at this moment. Once its status comment says so, \`/auto continue\` goes on.`;
    case 'not-running':
      return `Issue ${refusal.number} is not being worked on, so there is nothing to stop or to pause. \`/auto\` starts it.`;
    case 'label':
      return `${refusal.login}, \`${refusal.label}\` asks Sluice to work on this issue, which takes write permission here. The label was removed; somebody with write permission can set it, or comment \`/auto\`.`;
    case 'other-commit':
      return `Only one commit waits for an approval, and this does not name it, so nothing was approved. Look at ${refusal.commit}; \`/auto approve ${shortHash(refusal.commit)}\` lets exactly that commit go on.`;
    case 'nothing-to-approve':
      return `Nothing of issue ${refusal.number} waits for an approval.`;
    case 'not-our-pull':
      return `${refusal.number} is not a pull request of Sluice, so it is not clear which issue is meant. Name it: \`/auto 123\`.`;
    case 'never-started':
      return `Nobody has asked for issue ${refusal.number} yet. \`/auto ${refusal.number}\` starts it.`;
    case 'batch-unlisted':
      return refusal.of === 'count'
        ? 'Sluice chooses no issues by itself. Name them: `/auto --batch 12 15 19`, or `/auto 12` for a single one.'
        : 'Each issue of a batch goes on by itself once the one before it rests. `/auto --resume N` goes on with one that stopped.';
    case 'no-commit':
      return `${formatRepo(refusal.repo)} has no commit yet, so there is nothing to work from. Push one, then write the command again.`;
    case 'github-refused':
      return `This was not done, because GitHub does not let Sluice do it: ${endSentence(quoteLine(refusal.why, 300))} Somebody who administers the repository can see what the App may do there (its permissions, rules for refs), then write the command again.`;
    case 'gave-up':
      return `This was not done: it failed every time for an hour (${quoteLine(refusal.why, 300)}). The operator of this Sluice finds more in its log. Write the command again once that is put right.`;
    case 'other-hash':
      return `\`${refusal.hash}\` is neither the hash of the criteria nor of the text as they are now, so nothing was approved. Read the commands in the triage comment; \`/auto approve\` with the hash given there allows exactly these.`;
  }
}
