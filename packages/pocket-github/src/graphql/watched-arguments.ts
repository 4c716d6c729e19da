import type { GraphQLResolveInfo } from 'graphql';
import { UnmodelledError } from '../world/errors.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that record which of them are read, so that an ignored argument causes an error with its name. */
export interface WatchedArguments {
  readonly args: Arguments;
  /** Throws when the client gave an argument, or a member of `input`, that no resolver has read. */
  check(info: GraphQLResolveInfo): void;
}

export function watchArguments(given: Arguments): WatchedArguments {
  const input = isObject(given['input']) ? watchReads(given['input']) : null;
  const outer = watchReads(input === null ? given : { ...given, input: input.watched });
  return {
    args: outer.watched,
    check: ({ parentType, fieldName, fieldNodes }) => {
      const named = fieldNodes.flatMap((node) => node.arguments ?? []).map((node) => node.name.value);
      const ignored = named.filter((name) => given[name] != null && !outer.read.has(name));
      const members = Object.entries(input?.given ?? {}).filter(
        ([name, value]) => value != null && name !== 'clientMutationId',
      );
      const ignoredMembers = members
        .filter(([name]) => input?.read.has(name) === false)
        .map(([name]) => `input.${name}`);
      const [first] = [...ignored, ...ignoredMembers];
      if (first !== undefined) throw new UnmodelledError(`${parentType.name}.${fieldName}(${first})`);
    },
  };
}

function watchReads(given: Arguments) {
  const read = new Set<string>();
  const watched = new Proxy(given, {
    get: (target, key) => {
      if (typeof key === 'string') read.add(key);
      return Reflect.get(target, key) as unknown;
    },
    has: (target, key) => {
      if (typeof key === 'string') read.add(key);
      return Reflect.has(target, key);
    },
  });
  return { given, watched, read };
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
