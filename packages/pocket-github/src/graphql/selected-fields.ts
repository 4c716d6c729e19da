import { getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, Kind } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLResolveInfo, SelectionNode, SelectionSetNode } from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/** Whether `@skip` and `@include` leave the selection in. */
export function isIncluded(node: SelectionNode, variables: Variables): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

/** Names of the fields selected below the field being resolved, fragments opened. */
export function selectedFields(info: GraphQLResolveInfo): string[] {
  const fragments = (name: string): FragmentDefinitionNode | undefined => info.fragments[name];
  return info.fieldNodes.flatMap((node) =>
    node.selectionSet === undefined
      ? []
      : fieldsIn(node.selectionSet, fragments, info.variableValues).map((field) => field.name.value),
  );
}

/** The fields of a selection; each fragment is opened once. */
export function fieldsIn(
  selections: SelectionSetNode,
  fragments: (name: string) => FragmentDefinitionNode | undefined,
  variables: Variables,
  opened = new Set<string>(),
): FieldNode[] {
  return selections.selections.flatMap((node) => {
    if (!isIncluded(node, variables)) return [];
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return fieldsIn(node.selectionSet, fragments, variables, opened);
    const inner = opened.has(node.name.value) ? undefined : fragments(node.name.value);
    opened.add(node.name.value);
    return inner === undefined ? [] : fieldsIn(inner.selectionSet, fragments, variables, opened);
  });
}
