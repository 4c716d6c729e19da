/** Finds the end of the code span that begins with the backticks at a position; `null` when it has none on its line. */
export type CodeSpanEnd = (at: number, length: number) => number | null;

/** A table splits its rows at `|` before anything else, even inside code. */
const TABLE = /^(?=[^\n]*[|:])[\s>*+\d.)|:-]*-[ \t|:-]*$/m;

/** Must be called from left to right. The time then grows linearly with the text. */
export function codeSpansIn(text: string): CodeSpanEnd {
  const stop = TABLE.test(text) ? /\n|(?<!\\)\|/g : /\n/g;
  const stops = [...text.matchAll(stop)].map(({ index }) => index);
  const byLength = new Map<number, number[]>();
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const runs = byLength.get(run.length);
    if (runs === undefined) byLength.set(run.length, [index]);
    else runs.push(index);
  }
  const passed = new Map<number, number>();
  let stopped = 0;
  return (at, length) => {
    const runs = byLength.get(length) ?? [];
    let next = passed.get(length) ?? 0;
    while ((runs[next] ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    passed.set(length, next);
    while ((stops[stopped] ?? Number.POSITIVE_INFINITY) < at) stopped += 1;
    const end = runs[next];
    return end === undefined || end > (stops[stopped] ?? Number.POSITIVE_INFINITY) ? null : end + length;
  };
}
