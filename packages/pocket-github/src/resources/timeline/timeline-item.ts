import type { GitCommit } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import type { AnyWorldEvent, WorldEvent } from '../../world/events.js';
import type { Comment, Issue, Pull, Review } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { pullCommits } from '../pulls/pull-lists.js';
import { type Kind, kindOf } from './kinds.js';

/** One entry of a timeline, and the event that put it there. */
export type TimelineItem =
  /** Something happened. */
  | { readonly shows: 'event'; readonly event: AnyWorldEvent; readonly kind: Kind }
  /** Another issue or pull request mentions this one. */
  | { readonly shows: 'mention'; readonly event: WorldEvent<'cross-referenced'>; readonly source: Issue }
  /** A comment, as it reads now. */
  | { readonly shows: 'comment'; readonly event: AnyWorldEvent; readonly comment: Comment }
  /** A submitted review, as it stands now. */
  | { readonly shows: 'review'; readonly event: AnyWorldEvent; readonly review: Review }
  /** A commit the pull request has now, where it was pushed. */
  | { readonly shows: 'commit'; readonly event: AnyWorldEvent; readonly pull: Pull; readonly commit: GitCommit };

/** The timeline of an issue or pull request, oldest first: its events, and the records that GitHub lists among them. */
export async function timelineOf(
  context: Context,
  issue: Issue,
  options: { readonly commits: boolean },
): Promise<TimelineItem[]> {
  const pull = issue.pullId === null ? undefined : context.db.pulls.get(issue.pullId);
  const commits =
    pull === undefined || !options.commits ? [] : await commitItems(context, pull, historyOf(context.db, issue));
  return historyOf(context.db, issue).flatMap((event) => [
    ...itemOf(context, event),
    ...commits.filter((item) => item.event.id === event.id),
  ]);
}

/** Every event of the issue; what happened before it was transferred here belongs to it too. */
export function historyOf(db: Tables, issue: Issue): AnyWorldEvent[] {
  const events = db.events.by('subjectId', issue.id);
  const former = events.flatMap((event) => (event.name === 'opened' ? (event.data.transferredFromId ?? []) : []))[0];
  if (former === undefined) return events;
  const before = db.events.by('subjectId', former).filter((event) => event.name !== 'transferred');
  return [...before, ...events];
}

function itemOf(context: Context, event: AnyWorldEvent): TimelineItem[] {
  const { db } = context;
  if (event.name === 'comment created') {
    const comment = db.comments.get(event.data.commentId);
    return comment === undefined ? [] : [{ shows: 'comment', event, comment }];
  }
  if (event.name === 'review submitted') {
    const review = db.reviews.get(event.data.reviewId);
    return review === undefined ? [] : [{ shows: 'review', event, review }];
  }
  if (event.name === 'cross-referenced') {
    const source = db.issues.get(event.data.sourceIssueId);
    const seen = source !== undefined && canSee(db, context.viewer, db.repositories.must(source.repositoryId));
    return seen ? [{ shows: 'mention', event, source }] : [];
  }
  const kind = kindOf(event);
  return kind === null ? [] : [{ shows: 'event', event, kind }];
}

/** The pull request's commits, each at the push that brought it; those it was opened with, at the opening. */
async function commitItems({ world }: Context, pull: Pull, history: readonly AnyWorldEvent[]): Promise<TimelineItem[]> {
  const git = world.git(pull.repositoryId);
  const left = new Map((await pullCommits(world, pull)).map((commit) => [commit.oid, commit]));
  const items: TimelineItem[] = [];
  for (const event of history.toReversed()) {
    if (event.name !== 'opened' && event.name !== 'synchronized') continue;
    const pushed =
      event.name === 'opened'
        ? [...left.keys()]
        : (await git.log(event.data.before, event.data.after)).map(({ oid }) => oid);
    const present = [...left.values()].filter(({ oid }) => pushed.includes(oid));
    for (const commit of present) left.delete(commit.oid);
    items.unshift(...present.map((commit): TimelineItem => ({ shows: 'commit', event, pull, commit })));
  }
  return items;
}
