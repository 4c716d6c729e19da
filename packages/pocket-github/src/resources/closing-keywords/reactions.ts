import { atLeast, roleOf } from '../../identity/access.js';
import type { AnyWorldEvent, WorldEvent } from '../../world/events.js';
import type { Issue, Oid, Pull, Repository } from '../../world/model.js';
import { type Actor, actorOfEvent, type Reaction, type World } from '../../world/world.js';
import { closeIssue, subjectOf } from '../issues/rules.js';
import { closedByMerge, closingTargets, targetOf } from './closing-targets.js';
import { parseReferences } from './references.js';
import { spokenText } from './spoken-text.js';

/** Mentions in bodies, comments and reviews show up in the timeline of what they mention, once per source. */
export const noteMentions: Reaction = async (world, event) => {
  const text = writtenIn(world, event);
  if (text === null || event.subjectId === null) return;
  const source = world.tables.issues.must(event.subjectId);
  const repository = world.tables.repositories.must(source.repositoryId);
  for (const reference of parseReferences(spokenText(text))) {
    const target = targetOf(world.tables, repository, reference);
    if (target === undefined || target.id === source.id || isNoted(world, target, source)) continue;
    const willClose = willCloseByMerge(world, source, target);
    await world.record(actorOfEvent(event), 'cross-referenced', subjectOf(target), {
      sourceIssueId: source.id,
      willClose,
    });
  }
};

/** An edited description links other issues. */
export const relinkPull: Reaction = (world, event) => {
  if (event.name !== 'edited' || event.subjectId === null) return;
  const issue = world.tables.issues.must(event.subjectId);
  if (issue.pullId === null) return;
  world.tables.pulls.update(world.tables.pulls.must(issue.pullId), {
    closingIssueIds: closingTargets(world.tables, issue),
  });
};

/** Commits point at issues when they are pushed, and close them when they reach the default branch. */
export const readPushedCommits: Reaction = async (world, event) => {
  if (event.name !== 'pushed' || !event.data.ref.startsWith('refs/heads/') || event.repositoryId === null) return;
  const repository = world.tables.repositories.must(event.repositoryId);
  const actor = actorOfEvent(event);
  const onDefault = event.data.ref === `refs/heads/${repository.defaultBranch}`;
  const left = new Set(leftToMerge(world, repository));
  for (const { oid, message } of await commitsOf(world, event)) {
    for (const reference of parseReferences(message)) {
      const target = targetOf(world.tables, repository, reference);
      if (target === undefined) continue;
      await noteCommit(world, actor, target, oid);
      if (!onDefault || !reference.closes || left.has(target.id) || !mayClose(world, actor, repository, target))
        continue;
      await closeIssue(world, actor, world.tables.issues.must(target.id), { reason: 'completed', byCommit: oid });
    }
  }
};

/** Closes what the merged pull request said it would. */
export async function closeLinkedIssues(world: World, actor: Actor, pull: Pull): Promise<void> {
  const repository = world.tables.repositories.must(pull.repositoryId);
  for (const issue of closedByMerge(world.tables, pull)) {
    if (!mayClose(world, actor, repository, issue)) continue;
    await closeIssue(world, actor, world.tables.issues.must(issue.id), { reason: 'completed', byPullId: pull.id });
  }
}

/** The text an event brought into the world. */
function writtenIn(world: World, event: AnyWorldEvent): string | null {
  const { name, data, subjectId } = event;
  const { issues, comments, reviews, reviewComments } = world.tables;
  if (name === 'comment created' || name === 'comment edited') return comments.must(data.commentId).body;
  if (name === 'review submitted') return reviews.must(data.reviewId).body;
  if (name === 'review comment created') return reviewComments.must(data.reviewCommentId).body;
  if ((name === 'opened' || name === 'edited') && subjectId !== null) return issues.must(subjectId).body;
  return null;
}

function isNoted(world: World, target: Issue, source: Issue): boolean {
  return world.tables.events
    .by('subjectId', target.id)
    .some((event) => event.name === 'cross-referenced' && event.data.sourceIssueId === source.id);
}

function willCloseByMerge(world: World, source: Issue, target: Issue): boolean {
  const { tables } = world;
  return (
    source.pullId !== null &&
    closedByMerge(tables, tables.pulls.must(source.pullId)).some((issue) => issue.id === target.id)
  );
}

async function noteCommit(world: World, actor: Actor, target: Issue, commit: Oid): Promise<void> {
  const known = world.tables.events.by('subjectId', target.id);
  if (known.some((event) => event.name === 'referenced' && event.data.commit === commit)) return;
  await world.record(actor, 'referenced', subjectOf(target), { commit });
}

/** All commits of the push: the event itself lists only the last few, oldest first. */
async function commitsOf(
  world: World,
  { data, repositoryId }: WorldEvent<'pushed'>,
): Promise<readonly { oid: Oid; message: string }[]> {
  if (data.before === null || data.after === null || repositoryId === null) return data.commits;
  return (await world.git(repositoryId).log(data.before, data.after)).toReversed();
}

/** What pull requests that are just being merged close themselves: there they, not their commits, count as the cause. */
function leftToMerge({ tables }: World, repository: Repository): number[] {
  const landing = tables.pulls
    .by('repositoryId', repository.id)
    .filter((pull) => pull.mergedAt !== null && tables.issues.must(pull.issueId).state === 'open');
  return landing.flatMap((pull) => closedByMerge(tables, pull).map((issue) => issue.id));
}

/** In the same repository, the push itself is enough to close an issue; in another one, write permission there is needed. */
function mayClose(world: World, actor: Actor, from: Repository, target: Issue): boolean {
  if (target.repositoryId === from.id) return true;
  return atLeast(roleOf(world.tables, world.tables.repositories.must(target.repositoryId), actor.userId), 'write');
}
