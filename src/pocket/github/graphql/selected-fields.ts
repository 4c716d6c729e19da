import { getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, Kind } from 'graphql';
import type { FragmentDefinitionNode, GraphQLResolveInfo, SelectionNode, SelectionSetNode } from 'graphql';

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
    node.selectionSet === undefined ? [] : namesIn(node.selectionSet, fragments, info.variableValues),
  );
}

/** Names of the fields of a selection, aliases left out; each fragment is opened once. */
export function namesIn(
  selections: SelectionSetNode,
  fragments: (name: string) => FragmentDefinitionNode | undefined,
  variables: Variables,
  opened = new Set<string>(),
): string[] {
  return selections.selections.flatMap((node) => {
    if (!isIncluded(node, variables)) return [];
    if (node.kind === Kind.FIELD) return [node.name.value];
    if (node.kind === Kind.INLINE_FRAGMENT) return namesIn(node.selectionSet, fragments, variables, opened);
    const inner = opened.has(node.name.value) ? undefined : fragments(node.name.value);
    opened.add(node.name.value);
    return inner === undefined ? [] : namesIn(inner.selectionSet, fragments, variables, opened);
  });
}
