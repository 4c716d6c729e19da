import { MAX_STATE_BYTES } from '../../domain/state/bounded-state.js';

/** Deeper than any state of ours. Serialising a value needs a stack as deep as the value. */
const MAX_DEPTH = 32;

/** Parses JSON of bounded size and depth; `null` for any other text. Never throws. */
export function readableJson(text: string): unknown {
  if (text.length > MAX_STATE_BYTES || Buffer.byteLength(text) > MAX_STATE_BYTES) return null;
  if (depthOf(text) > MAX_DEPTH) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How deep brackets are nested outside strings; right for every text that is JSON, and harmless for every other. */
function depthOf(text: string): number {
  let [depth, deepest, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isString = false;
    } else if (letter === '"') isString = true;
    else if (letter === '[' || letter === '{') deepest = Math.max(deepest, (depth += 1));
    else if (letter === ']' || letter === '}') depth -= 1;
  }
  return deepest;
}
