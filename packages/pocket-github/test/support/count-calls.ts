/** Counts calls of an object's methods that have not come to an end. */
export function countCalls(object: object): () => number {
  const calls = { open: 0 };
  const methods = object as Record<string, unknown>;
  for (const name of namesOf(object)) {
    const method = methods[name];
    if (typeof method !== 'function') continue;
    methods[name] = (...args: unknown[]): unknown => {
      const answer: unknown = method.apply(object, args);
      if (!(answer instanceof Promise)) return answer;
      calls.open += 1;
      return answer.finally(() => (calls.open -= 1));
    };
  }
  return () => calls.open;
}

const namesOf = (object: object): readonly string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');
