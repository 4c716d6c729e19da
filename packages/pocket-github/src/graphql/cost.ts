import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  type InlineFragmentNode,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { isIncluded } from './selected-fields.js';

/** What a document costs, as GitHub counts it before running it. */
export interface Cost {
  readonly points: number;
  readonly nodes: number;
  /** Why the document asks for too much; `null` when it does not. */
  readonly refusal: string | null;
}

const MAX_NODES = 500_000;

interface Walk {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The first connection that alone exceeds the limit. */
  excess: { readonly connection: string; readonly nodes: number } | null;
}

interface Tally {
  /** One per connection and parent node: what GitHub divides by 100 to get points. */
  readonly requests: number;
  readonly nodes: number;
}

const NOTHING: Tally = { requests: 0, nodes: 0 };

/**
 * GitHub's documented formulas: every connection is assumed full; nodes are added up, requests added up and divided by 100.
 * Fields that merge count once; of fragments that exclude each other (a node is an Issue or a PullRequest), the dearest.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Cost {
  const fragments = document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [node] : []));
  const walk: Walk = {
    schema,
    fragments: new Map(fragments.map((node) => [node.name.value, node])),
    variables,
    excess: null,
  };
  const root = schema.getRootType(operation.operation);
  const { requests, nodes } = root == null ? NOTHING : tally(walk, [operation.selectionSet], root, 1);
  return { points: Math.max(1, Math.round(requests / 100)), nodes, refusal: refusalOf(walk, nodes) };
}

const grouped = (count: number): string => count.toLocaleString('en-US');

function refusalOf({ excess }: Walk, nodes: number): string | null {
  const tooMany = (count: number) =>
    `${grouped(count)} possible nodes which exceeds the maximum limit of ${grouped(MAX_NODES)}.`;
  if (excess !== null) {
    return `By the time this query traverses to the ${excess.connection} connection, it is requesting up to ${tooMany(excess.nodes)}`;
  }
  return nodes > MAX_NODES ? `This query requests up to ${tooMany(nodes)}` : null;
}

/** The cost of selections on `parents` nodes of a type; of an abstract type, that of the dearest type it can turn out to be. */
function tally(walk: Walk, sets: readonly SelectionSetNode[], type: GraphQLCompositeType, parents: number): Tally {
  return typesToTry(walk, sets, type)
    .map((candidate) =>
      [...collect(walk, sets, candidate).values()]
        .map((fields) => tallyField(walk, fields, candidate, parents))
        .reduce(sum, NOTHING),
    )
    .reduce((a, b) => ({ requests: Math.max(a.requests, b.requests), nodes: Math.max(a.nodes, b.nodes) }), NOTHING);
}

const sum = (a: Tally, b: Tally): Tally => ({ requests: a.requests + b.requests, nodes: a.nodes + b.nodes });

function tallyField(walk: Walk, fields: readonly FieldNode[], parent: GraphQLCompositeType, parents: number): Tally {
  const [field] = fields;
  if (field === undefined || isUnionType(parent)) return NOTHING;
  const definition = parent.getFields()[field.name.value];
  const named = definition === undefined ? undefined : getNamedType(definition.type);
  if (definition === undefined || !isCompositeType(named)) return NOTHING;
  const sets = fields.flatMap((node) => node.selectionSet ?? []);
  if (!named.name.endsWith('Connection')) return tally(walk, sets, named, parents);
  const { first, last } = getArgumentValues(definition, field, walk.variables);
  const size = Math.max(0, Number(first ?? last ?? 0));
  if (parents * size > MAX_NODES) walk.excess ??= { connection: field.name.value, nodes: parents * size };
  return sum({ requests: parents, nodes: parents * size }, tally(walk, sets, named, parents * size));
}

/** The fields that apply to `type`, by response name, fragments opened and skipped ones left out. */
function collect(
  walk: Walk,
  sets: readonly SelectionSetNode[],
  type: GraphQLCompositeType,
  found = new Map<string, FieldNode[]>(),
  opened = new Set<string>(),
): Map<string, FieldNode[]> {
  for (const node of sets.flatMap((set) => set.selections)) {
    if (!isIncluded(node, walk.variables)) continue;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      found.set(key, [...(found.get(key) ?? []), node]);
      continue;
    }
    const fragment = opening(walk, node, opened);
    if (fragment === undefined) continue;
    const condition = conditionOf(walk, fragment);
    if (condition === null || applies(walk, condition, type))
      collect(walk, [fragment.selectionSet], type, found, opened);
  }
  return found;
}

/** The fragment behind a selection, a named one only the first time: spread twice at each level they would never end. */
function opening(walk: Walk, node: InlineFragmentNode | FragmentSpreadNode, opened: Set<string>) {
  if (node.kind === Kind.INLINE_FRAGMENT) return node;
  const name = node.name.value;
  if (opened.has(name)) return undefined;
  opened.add(name);
  return walk.fragments.get(name);
}

type Fragment = { readonly typeCondition?: { readonly name: { readonly value: string } } | undefined };

function conditionOf(walk: Walk, fragment: Fragment): GraphQLCompositeType | null {
  const type =
    fragment.typeCondition === undefined ? undefined : walk.schema.getType(fragment.typeCondition.name.value);
  return isCompositeType(type) ? type : null;
}

function applies(walk: Walk, condition: GraphQLCompositeType, type: GraphQLCompositeType): boolean {
  return (
    condition === type || (isAbstractType(condition) && !isUnionType(type) && walk.schema.isSubType(condition, type))
  );
}

/** The types whose cost can differ: those the fragments name. The type itself when no fragment narrows it. */
function typesToTry(
  walk: Walk,
  sets: readonly SelectionSetNode[],
  type: GraphQLCompositeType,
): readonly GraphQLCompositeType[] {
  if (isObjectType(type)) return [type];
  const possible = new Set(walk.schema.getPossibleTypes(type));
  const narrowed = new Set<GraphQLObjectType>();
  const opened = new Set<string>();
  const visit = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) continue;
      const fragment = opening(walk, node, opened);
      if (fragment === undefined) continue;
      const condition = conditionOf(walk, fragment);
      if (isObjectType(condition)) narrowed.add(condition);
      else if (condition !== null && condition !== type) {
        for (const one of walk.schema.getPossibleTypes(condition)) if (possible.has(one)) narrowed.add(one);
      }
      visit(fragment.selectionSet);
    }
  };
  for (const set of sets) visit(set);
  return narrowed.size === 0 ? [type] : [...narrowed];
}
