import type { Instant } from '../clock/clock.js';
import type { AnyWorldEvent } from './events.js';
import type * as m from './model.js';
import { type Keeper, type Row, Table } from './table.js';

/** The record type of every table. */
export interface Records {
  users: m.User;
  apps: m.App;
  installations: m.Installation;
  tokens: m.Token;
  repositories: m.Repository;
  collaborators: m.Collaborator;
  refs: m.Ref;
  labels: m.Label;
  milestones: m.Milestone;
  issues: m.Issue;
  issueTypes: m.IssueType;
  comments: m.Comment;
  contentEdits: m.ContentEdit;
  reactions: m.Reaction;
  pulls: m.Pull;
  reviews: m.Review;
  reviewThreads: m.ReviewThread;
  reviewComments: m.ReviewComment;
  checkSuites: m.CheckSuite;
  checkRuns: m.CheckRun;
  statuses: m.CommitStatus;
  protections: m.BranchProtection;
  rulesets: m.Ruleset;
  queueEntries: m.MergeQueueEntry;
  projects: m.Project;
  projectFields: m.ProjectField;
  projectItems: m.ProjectItem;
  deliveries: m.HookDelivery;
  events: AnyWorldEvent;
}

export type TableName = keyof Records;
export type Tables = { readonly [N in TableName]: Table<Records[N]> };

/** Prefix of a table's node ids, as GitHub's own: `I_…`, `PR_…`. */
export const NODE_PREFIX: { readonly [N in TableName]: string } = {
  users: 'U',
  apps: 'A',
  installations: 'IN',
  tokens: 'TK',
  repositories: 'R',
  collaborators: 'CO',
  refs: 'REF',
  labels: 'LA',
  milestones: 'MI',
  issues: 'I',
  issueTypes: 'IT',
  comments: 'IC',
  contentEdits: 'UCE',
  reactions: 'REA',
  pulls: 'PR',
  reviews: 'PRR',
  reviewThreads: 'PRRT',
  reviewComments: 'PRRC',
  checkSuites: 'CS',
  checkRuns: 'CR',
  statuses: 'SC',
  protections: 'BPR',
  rulesets: 'RRS',
  queueEntries: 'MQE',
  projects: 'PVT',
  projectFields: 'PVTF',
  projectItems: 'PVTI',
  deliveries: 'HD',
  events: 'EV',
};

export const TABLE_NAMES = Object.keys(NODE_PREFIX) as readonly TableName[];

const TABLE_OF_PREFIX = new Map(TABLE_NAMES.map((name) => [NODE_PREFIX[name], name]));

export function formatNodeId(table: TableName, id: number): string {
  return `${NODE_PREFIX[table]}_kwDO${id.toString(36).padStart(8, '0')}`;
}

export function parseNodeId(text: string): { readonly table: TableName; readonly id: number } | null {
  const match = /^([A-Z]+)_kwDO([0-9a-z]{8,})$/.exec(text);
  const table = TABLE_OF_PREFIX.get(match?.[1] ?? '');
  if (match === null || table === undefined) return null;
  return { table, id: Number.parseInt(match[2] ?? '', 36) };
}

function mapTables(make: <N extends TableName>(name: N) => Table<Records[N]>): Tables {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, make(name)])) as unknown as Tables;
}

export function emptyTables(keeper: Keeper): Tables {
  return mapTables((name) => new Table(name, keeper));
}

/** All tables as they were at `time`. */
export function tablesAsOf(tables: Tables, time: Instant): Tables {
  return mapTables(<N extends TableName>(name: N) => tables[name].asOf(time));
}

export type TablesSnapshot = ReadonlyMap<TableName, ReadonlyMap<number, Row>>;

export function snapshotTables(tables: Tables): TablesSnapshot {
  return new Map(TABLE_NAMES.map((name) => [name, tables[name].snapshot()]));
}

export function restoreTables(tables: Tables, snapshot: TablesSnapshot): void {
  for (const name of TABLE_NAMES) {
    const rows = snapshot.get(name) ?? new Map<number, Row>();
    (tables[name] as unknown as Table<Row>).restore(rows);
  }
}
