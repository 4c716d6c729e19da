/** Longer words are not typing mistakes, and comparing them takes time. */
const MAX_WORD = 30;

/** The candidate a word was most likely meant to be, or `null` when none is near. */
export function didYouMean<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  if (word.length > MAX_WORD) return null;
  const typed = word.toLowerCase();
  let best: Candidate | null = null;
  let least = mistakesIn(typed) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** A third of the letters. Words of one or two letters are too similar to guess from. */
const mistakesIn = ({ length }: string): number => (length < 3 ? 0 : Math.max(1, Math.floor(length / 3)));

/** How many letters have to be added, removed, changed or swapped with their neighbour. */
export function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + same,
          swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return above[to.length] ?? 0;
}
