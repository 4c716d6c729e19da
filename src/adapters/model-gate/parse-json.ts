/** Returns `undefined` for invalid JSON: input from outside must not throw. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
