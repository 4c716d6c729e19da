/** `undefined` for what is no JSON: text from outside is nothing to throw about. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
