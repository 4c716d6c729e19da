import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/* GraphQL's validation rules as GitHub has them, two in its own words: clients probe for fields and recognise the refusal by its code. */

/** "Field 'x' doesn't exist on type 'Y'", with `extensions.code` undefinedField. */
function undefinedField(context: ValidationContext): ASTVisitor {
  return {
    Field(node, _key, _parent, _path, ancestors) {
      const type = context.getParentType();
      if (type == null || context.getFieldDef() != null) return;
      const fieldName = node.name.value;
      refuse(
        context,
        node,
        [...pathOf(ancestors), node.alias?.value ?? fieldName],
        `Field '${fieldName}' doesn't exist on type '${type.name}'`,
        {
          code: 'undefinedField',
          typeName: type.name,
          fieldName,
        },
      );
    },
  };
}

/** "Field 'x' doesn't accept argument 'y'", with `extensions.code` argumentNotAccepted. */
function argumentNotAccepted(context: ValidationContext): ASTVisitor {
  return {
    Argument(node, _key, _parent, _path, ancestors) {
      const field = context.getFieldDef();
      if (field == null || context.getArgument() != null || context.getDirective() != null) return;
      const argumentName = node.name.value;
      refuse(
        context,
        node,
        [...pathOf(ancestors), argumentName],
        `Field '${field.name}' doesn't accept argument '${argumentName}'`,
        {
          code: 'argumentNotAccepted',
          name: field.name,
          typeName: 'Field',
          argumentName,
        },
      );
    },
  };
}

/** GitHub merges fields of one name although fragments on different types give them different types, such as `state`. */
function mergeableFields(context: ValidationContext): ASTVisitor {
  const lenient: ValidationContext = Object.create(context, {
    reportError: {
      value: (error: GraphQLError) => {
        if (!/they return conflicting types/.test(error.message)) context.reportError(error);
      },
    },
  });
  return OverlappingFieldsCanBeMergedRule(lenient);
}

const REPLACED: ReadonlySet<ValidationRule> = new Set([
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  OverlappingFieldsCanBeMergedRule,
]);

export const DOCUMENT_RULES: readonly ValidationRule[] = [
  ...specifiedRules.filter((rule) => !REPLACED.has(rule)),
  mergeableFields,
  undefinedField,
  argumentNotAccepted,
];

function refuse(
  context: ValidationContext,
  node: ASTNode,
  path: readonly string[],
  message: string,
  extensions: Record<string, string>,
): void {
  context.reportError(new GraphQLError(message, { nodes: node, path, extensions }));
}

/** Where in the document, as GitHub writes it: `["query Name", "repository", "... on Issue"]`. */
function pathOf(ancestors: readonly (ASTNode | readonly ASTNode[])[]): string[] {
  return ancestors.flatMap((ancestor) => ('kind' in ancestor ? (stepOf(ancestor) ?? []) : []));
}

function stepOf(node: ASTNode): string | null {
  if (node.kind === Kind.FIELD) return node.alias?.value ?? node.name.value;
  if (node.kind === Kind.INLINE_FRAGMENT) return `... on ${node.typeCondition?.name.value ?? ''}`.trim();
  if (node.kind === Kind.FRAGMENT_DEFINITION) return `fragment ${node.name.value}`;
  if (node.kind === Kind.OPERATION_DEFINITION) return `${node.operation} ${node.name?.value ?? ''}`.trim();
  return null;
}
