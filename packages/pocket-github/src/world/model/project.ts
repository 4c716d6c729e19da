import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';

export interface Project extends Row {
  readonly ownerId: number;
  readonly number: number;
  readonly title: string;
  readonly closed: boolean;
  readonly repositoryIds: readonly number[];
  readonly createdAt: Instant;
}

export interface ProjectField extends Row {
  readonly projectId: number;
  readonly name: string;
  readonly type: 'SINGLE_SELECT' | 'TEXT' | 'NUMBER' | 'DATE' | 'TITLE';
  readonly options: readonly ProjectOption[];
}

/** A choice of a single-select field. `color` is one of GitHub's eight names, in capitals. */
export interface ProjectOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface ProjectItem extends Row {
  readonly projectId: number;
  /** The issue (or the issue half of a pull request) the card shows. */
  readonly issueId: number;
  readonly archived: boolean;
  /** Field id → option id, text, number or date. */
  readonly values: Readonly<Record<number, string | number>>;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
