import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';

export interface Label extends Row {
  readonly repositoryId: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
  readonly default: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Milestone extends Row {
  readonly repositoryId: number;
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly creatorId: number;
  readonly createdAt: Instant;
}

/** Why an issue was closed. */
export type IssueStateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

/** An issue, or the issue half of a pull request (`pullId` set). */
export interface Issue extends Row {
  readonly repositoryId: number;
  readonly number: number;
  readonly pullId: number | null;
  readonly authorId: number;
  /** The App that created it on behalf of `authorId`, if any. */
  readonly viaAppId: number | null;
  readonly title: string;
  readonly body: string | null;
  readonly state: 'open' | 'closed';
  readonly stateReason: IssueStateReason | null;
  readonly labelIds: readonly number[];
  readonly assigneeIds: readonly number[];
  readonly milestoneId: number | null;
  readonly typeId: number | null;
  readonly locked: boolean;
  readonly lockReason: 'off-topic' | 'too heated' | 'resolved' | 'spam' | null;
  readonly parentId: number | null;
  /** Sub-issues in priority order. */
  readonly subIssueIds: readonly number[];
  /** Issues that block this one, in the order the dependency was added. */
  readonly blockedBy: readonly { readonly issueId: number; readonly addedAt: Instant }[];
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly closedAt: Instant | null;
  readonly closedById: number | null;
}

/** An organisation's issue type: Bug, Feature, Task. */
export interface IssueType extends Row {
  readonly ownerId: number;
  readonly name: string;
  readonly description: string | null;
  readonly color: 'gray' | 'blue' | 'green' | 'yellow' | 'orange' | 'red' | 'pink' | 'purple';
  readonly createdAt: Instant;
}

/** A comment on an issue or on a pull request's conversation. */
export interface Comment extends Row {
  readonly repositoryId: number;
  readonly issueId: number;
  readonly authorId: number;
  readonly viaAppId: number | null;
  readonly body: string;
  readonly minimizedReason: string | null;
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One earlier or current text of an edited body. */
export interface ContentEdit extends Row {
  /** Id of the issue, comment or review that was edited. */
  readonly subjectId: number;
  readonly editorId: number;
  readonly editedAt: Instant;
  /** The text after this edit. */
  readonly text: string;
}

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;
export type ReactionContent = (typeof REACTIONS)[number];

export interface Reaction extends Row {
  /** Id of the issue, comment, review comment or review it is on. */
  readonly subjectId: number;
  readonly userId: number;
  readonly content: ReactionContent;
  readonly createdAt: Instant;
}
