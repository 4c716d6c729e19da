import type { Context } from '../http/context.js';

/**
 * Resolver of one field. `source` is the record of the type (or a plain object for connections and payloads);
 * arguments were validated against GitHub's schema before, so resolvers name the shape they expect.
 */
export type Resolver = (source: never, args: never, context: Context) => unknown;

/** Type name → field name → resolver. A field without one fails loudly by name. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** Records carry no type name; what a resolver returns for an interface or union is tagged with one. */
export interface Tagged {
  readonly __typename: string;
}

export function tagged<T extends object>(typename: string, value: T): T & Tagged {
  return { ...value, __typename: typename };
}

/** The type name a value was tagged with. */
export function typenameOf(value: object): string {
  const { __typename: typename } = value as Partial<Tagged>;
  if (typename === undefined) throw new Error('a value for an interface or union came without its type name');
  return typename;
}

/** Merges the maps of all resources; two resolvers for one field are a mistake. */
export function mergeResolvers(maps: readonly ResolverMap[]): ResolverMap {
  const merged: Record<string, Record<string, Resolver>> = {};
  for (const map of maps) {
    for (const [type, fields] of Object.entries(map)) {
      const target = (merged[type] ??= {});
      for (const [field, resolver] of Object.entries(fields)) {
        if (target[field] !== undefined) throw new Error(`two resolvers for ${type}.${field}`);
        target[field] = resolver;
      }
    }
  }
  return merged;
}
