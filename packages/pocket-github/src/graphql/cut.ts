import type { GraphQLResolveInfo, OperationDefinitionNode } from 'graphql';
import { OperationTypeNode } from 'graphql';
import type { GraphqlErrorEffect, RequestEffect } from '../faults/fault.js';

type PathStep = string | number;

/** A place of one document that a fault makes fail. */
export interface Cut {
  readonly path: readonly PathStep[];
  /** The field is resolved first and its answer is lost: a mutation is done by then. */
  readonly isLate: boolean;
  /** `null`: the place is empty, without an error. */
  readonly error: CutError | null;
}

/** An error that GitHub gives for one place of an answer, with a type of its own or none. */
export class CutError extends Error {
  readonly type: string | null;

  constructor({ type, message }: GraphqlErrorEffect) {
    super(message);
    this.type = type;
  }
}

/** Where the faults of a request cut its document. Without a path it is the last top-level field, and a mutation is done by then. */
export function cutsOf(
  effects: readonly RequestEffect[],
  operation: OperationDefinitionNode,
  responseNames: readonly string[],
): readonly Cut[] {
  return effects.flatMap((effect): readonly Cut[] => {
    if (effect.kind === 'graphql-null') return [{ path: effect.path, isLate: false, error: null }];
    if (effect.kind !== 'graphql-error') return [];
    const path = effect.path ?? responseNames.slice(-1);
    const isLate = effect.path === undefined && operation.operation === OperationTypeNode.MUTATION;
    return [{ path, isLate, error: new CutError(effect) }];
  });
}

/** The cut that hits this field. */
export function cutAt(cuts: readonly Cut[], info: GraphQLResolveInfo): Cut | undefined {
  if (cuts.length === 0) return undefined;
  const steps = stepsOf(info);
  return cuts.find(({ path }) => isAt(path, steps));
}

function stepsOf(info: GraphQLResolveInfo): PathStep[] {
  const steps: PathStep[] = [];
  for (let step: GraphQLResolveInfo['path'] | undefined = info.path; step !== undefined; step = step.prev)
    steps.unshift(step.key);
  return steps;
}

/** A position in a list that the path does not name stands for every position. */
function isAt(path: readonly PathStep[], steps: readonly PathStep[]): boolean {
  let next = 0;
  for (const step of steps) {
    if (path[next] === step) next += 1;
    else if (typeof step !== 'number' || typeof path[next] === 'number') return false;
  }
  return next === path.length && typeof steps.at(-1) === 'string';
}
