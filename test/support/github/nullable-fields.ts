import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';

/* Which places of a GraphQL answer the schema lets be null, found from the schema and the document alone. */

export interface NullableField {
  /**
   * Response names from the top, or from the fragment all documents share; `[]` stands for any position of a list.
   */
  readonly name: string;
  /** Where it was found in an answer. */
  readonly path: readonly (string | number)[];
}

interface Walk {
  readonly schema: GraphQLSchema;
  /** A fragment that several documents end in: its places are named from there, whatever leads to it. */
  readonly shared: string;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

interface Selected {
  readonly type: GraphQLOutputType;
  readonly sets: readonly SelectionSetNode[];
  /** Whether it stands in the shared fragment. */
  readonly isShared: boolean;
}

interface Root {
  readonly walk: Walk;
  readonly type: GraphQLCompositeType;
  readonly sets: readonly SelectionSetNode[];
}

export function operationOf(query: string): OperationDefinitionNode {
  const operation = parse(query).definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('the document has no operation');
  return operation;
}

/** Every nullable place of the document, by name. */
export function nullableFieldNames(schema: GraphQLSchema, query: string, shared: string): ReadonlySet<string> {
  const names = new Set<string>();
  const { walk, type, sets } = rootOf(schema, query, shared);
  const visit = (parent: GraphQLCompositeType, selections: readonly SelectionSetNode[], prefix: string): void => {
    for (const [key, selected] of fieldsOf(walk, parent, selections))
      enter(selected, selected.type, nameOf(walk, selected, prefix, key));
  };
  const enter = (selected: Selected, type: GraphQLOutputType, name: string): void => {
    if (!isNonNullType(type)) names.add(name);
    const inner = getNullableType(type);
    if (isListType(inner)) enter(selected, inner.ofType, `${name}[]`);
    else if (isCompositeType(inner)) visit(inner, selected.sets, name);
  };
  visit(type, sets, '');
  return names;
}

/** The nullable places of the document that hold something in this answer, the first of each name. */
export function nullableFields(
  schema: GraphQLSchema,
  query: string,
  shared: string,
  data: unknown,
): readonly NullableField[] {
  const found = new Map<string, NullableField>();
  const { walk, type, sets } = rootOf(schema, query, shared);
  const visit = (
    parent: GraphQLCompositeType,
    selections: readonly SelectionSetNode[],
    at: NullableField,
    value: object,
  ) => {
    const fields = fieldsOf(walk, parent, selections);
    for (const [key, inner] of Object.entries(value)) {
      const selected = fields.get(key);
      if (selected !== undefined)
        enter(selected, selected.type, { name: nameOf(walk, selected, at.name, key), path: [...at.path, key] }, inner);
    }
  };
  const enter = (selected: Selected, type: GraphQLOutputType, at: NullableField, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (!isNonNullType(type) && !found.has(at.name)) found.set(at.name, at);
    const inner = getNullableType(type);
    if (Array.isArray(value) && isListType(inner)) {
      for (const [index, item] of value.entries())
        enter(selected, inner.ofType, { name: `${at.name}[]`, path: [...at.path, index] }, item);
    } else if (isCompositeType(inner) && typeof value === 'object') visit(inner, selected.sets, at, value);
  };
  if (typeof data === 'object' && data !== null) visit(type, sets, { name: '', path: [] }, data);
  return [...found.values()];
}

/** The same value with `null` at a place. */
export function withNull(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? withNull(item, rest) : item));
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [step]: withNull(record[step], rest) };
}

function nameOf({ shared }: Walk, { isShared }: Selected, prefix: string, key: string): string {
  if (isShared && !prefix.startsWith(`${shared}.`)) return `${shared}.${key}`;
  return prefix === '' ? key : `${prefix}.${key}`;
}

function rootOf(schema: GraphQLSchema, query: string, shared: string): Root {
  const operation = operationOf(query);
  const type = schema.getRootType(operation.operation);
  if (type == null) throw new Error(`the schema has no ${operation.operation}`);
  return { walk: { schema, shared, fragments: fragmentsOf(parse(query)) }, type, sets: [operation.selectionSet] };
}

const fragmentsOf = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );

/** Fields by response name, fragments opened whatever type they are for. Of two under one name the nullable one counts. */
function fieldsOf(
  walk: Walk,
  parent: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  found = new Map<string, Selected>(),
  isShared = false,
): Map<string, Selected> {
  for (const node of sets.flatMap(({ selections }) => selections)) {
    if (node.kind === Kind.FIELD) add(found, parent, node, isShared);
    else {
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : walk.fragments.get(node.name.value);
      const type =
        fragment?.typeCondition === undefined ? parent : walk.schema.getType(fragment.typeCondition.name.value);
      const isInShared = isShared || (node.kind === Kind.FRAGMENT_SPREAD && node.name.value === walk.shared);
      if (fragment !== undefined && isCompositeType(type))
        fieldsOf(walk, type, [fragment.selectionSet], found, isInShared);
    }
  }
  return found;
}

function add(found: Map<string, Selected>, parent: GraphQLCompositeType, node: FieldNode, isShared: boolean): void {
  const definition = isUnionType(parent) ? undefined : parent.getFields()[node.name.value];
  if (definition === undefined) return;
  const key = node.alias?.value ?? node.name.value;
  const known = found.get(key);
  const isSame = known !== undefined && getNamedType(known.type) === getNamedType(definition.type);
  const type = known !== undefined && !isNonNullType(known.type) ? known.type : definition.type;
  const sets = [
    ...(known !== undefined && isSame ? known.sets : []),
    ...(node.selectionSet ? [node.selectionSet] : []),
  ];
  found.set(key, { type, sets, isShared });
}
