import type { components } from '@octokit/openapi-types';
import type { GitCommit } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import type { WorldEvent } from '../../world/events.js';
import type { Comment, Issue, Pull, Review } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { commentJson } from '../comments/comment-json.js';
import { commitJson } from '../commits/commit-json.js';
import { issueJson } from '../issues/issue-json.js';
import { reviewJson } from '../reviews/review-json.js';
import { simpleUserById } from '../users/user-json.js';
import { eventJson } from './event-json.js';
import type { TimelineItem } from './timeline-item.js';

type Schemas = components['schemas'];

/** An entry of the REST timeline. */
export function itemJson(context: Context, item: TimelineItem): Schemas['timeline-issue-events'] {
  if (item.shows === 'mention') return mentionJson(context, item.event, item.source);
  if (item.shows === 'comment') return commentedJson(context, item.comment);
  if (item.shows === 'review') return reviewedJson(context, item.review);
  if (item.shows === 'commit') return committedJson(context, item.pull, item.commit);
  return eventJson(context, item.event, item.kind);
}

function mentionJson(context: Context, event: WorldEvent<'cross-referenced'>, source: Issue) {
  return {
    event: 'cross-referenced',
    actor: simpleUserById(context, event.actorId),
    created_at: isoTime(event.at),
    updated_at: isoTime(event.at),
    source: { type: 'issue', issue: issueJson(context, source) },
  } satisfies Schemas['timeline-cross-referenced-event'];
}

function commentedJson(context: Context, comment: Comment) {
  const json = commentJson(context, comment);
  return { ...json, event: 'commented', actor: json.user } satisfies Schemas['timeline-comment-event'];
}

function reviewedJson(context: Context, review: Review) {
  const json = reviewJson(context, review);
  return { ...json, event: 'reviewed', state: review.state.toLowerCase() } satisfies Schemas['timeline-reviewed-event'];
}

function committedJson(context: Context, pull: Pull, commit: GitCommit) {
  const {
    sha,
    node_id,
    html_url,
    parents,
    commit: facts,
  } = commitJson(context, context.db.repositories.must(pull.repositoryId), commit);
  const { url, author, committer, tree, message, verification } = facts;
  return {
    event: 'committed',
    sha,
    node_id,
    url,
    html_url,
    author,
    committer,
    tree,
    message,
    parents,
    verification,
  } satisfies Schemas['timeline-committed-event'];
}
