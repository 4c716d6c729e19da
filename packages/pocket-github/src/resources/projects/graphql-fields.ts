import { type ResolverMap, tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { ProjectField, ProjectOption } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { type CardValue, valueUpdatedAt } from './cards.js';

/** A field as the kind of field it is. */
export function fieldNode(field: ProjectField): object;
export function fieldNode(field: ProjectField | undefined): object | null;
export function fieldNode(field: ProjectField | undefined): object | null {
  if (field === undefined) return null;
  return tagged(field.type === 'SINGLE_SELECT' ? 'ProjectV2SingleSelectField' : 'ProjectV2Field', field);
}

const VALUE_TYPES = {
  SINGLE_SELECT: 'ProjectV2ItemFieldSingleSelectValue',
  TEXT: 'ProjectV2ItemFieldTextValue',
  TITLE: 'ProjectV2ItemFieldTextValue',
  NUMBER: 'ProjectV2ItemFieldNumberValue',
  DATE: 'ProjectV2ItemFieldDateValue',
} as const;

/** A value as the kind of value it is. */
export const valueNode = (value: CardValue) => tagged(VALUE_TYPES[value.field.type], value);

const field = {
  id: (row: ProjectField) => formatNodeId('projectFields', row.id),
  databaseId: (row: ProjectField) => row.id,
  name: (row: ProjectField) => row.name,
  dataType: (row: ProjectField) => row.type,
  project: (row: ProjectField, _: unknown, { db }: Context) => db.projects.must(row.projectId),
};

const value = {
  id: ({ item, field: of }: CardValue) => `${formatNodeId('projectItems', item.id)}_${of.id}`,
  field: ({ field: of }: CardValue) => fieldNode(of),
  item: ({ item }: CardValue) => item,
  updatedAt: (row: CardValue, _: unknown, { db }: Context) => isoTime(valueUpdatedAt(db, row)),
};

const chosen = ({ field: of, value: id }: CardValue): ProjectOption | undefined =>
  of.options.find((option) => option.id === id);

export const fieldResolvers: ResolverMap = {
  ProjectV2Field: field,
  ProjectV2SingleSelectField: {
    ...field,
    options: (row: ProjectField, { names }: { names?: readonly string[] | null }) =>
      names == null ? row.options : row.options.filter((option) => names.includes(option.name)),
  },
  ProjectV2SingleSelectFieldOption: {
    id: (option: ProjectOption) => option.id,
    name: (option: ProjectOption) => option.name,
    color: (option: ProjectOption) => option.color,
    description: (option: ProjectOption) => option.description,
  },
  ProjectV2ItemFieldSingleSelectValue: {
    ...value,
    optionId: (row: CardValue) => chosen(row)?.id ?? null,
    name: (row: CardValue) => chosen(row)?.name ?? null,
    color: (row: CardValue) => chosen(row)?.color ?? null,
    description: (row: CardValue) => chosen(row)?.description ?? null,
  },
  ProjectV2ItemFieldTextValue: { ...value, text: (row: CardValue) => row.value },
  ProjectV2ItemFieldNumberValue: { ...value, number: (row: CardValue) => row.value },
  ProjectV2ItemFieldDateValue: { ...value, date: (row: CardValue) => row.value },
};
