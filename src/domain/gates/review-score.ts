/** The six dimensions of a review, with their weights and the lowest score each may have. */
export const DIMENSIONS = {
  d1: { name: 'correctness', weight: 0.25, floor: 0.5 },
  d2: { name: 'security', weight: 0.2, floor: 0.5 },
  d3: { name: 'reliability', weight: 0.2, floor: 0.5 },
  d4: { name: 'performance', weight: 0.1, floor: 0 },
  d5: { name: 'architecture', weight: 0.1, floor: 0 },
  d6: { name: 'maintainability', weight: 0.15, floor: 0 },
} as const;

export type Dimension = keyof typeof DIMENSIONS;
export const DIMENSION_IDS = Object.keys(DIMENSIONS) as Dimension[];

export interface DimensionScore {
  readonly score: number;
  readonly evidence: string;
}

export type Scores = Readonly<Record<Dimension, DimensionScore>>;

/** The least a review's weighted score may be. */
export const REVIEW_THRESHOLD = 0.75;

/** Sum of weight times score, to two places. */
export function weightedScore(scores: Scores): number {
  const sum = DIMENSION_IDS.reduce((total, id) => total + DIMENSIONS[id].weight * scores[id].score, 0);
  return Math.round(sum * 100) / 100;
}

/** Dimensions whose score is below their floor. One is enough to require a fix. */
export function belowFloor(scores: Scores): readonly Dimension[] {
  return DIMENSION_IDS.filter((id) => scores[id].score < DIMENSIONS[id].floor);
}

/** The dimension that lowers the total most. */
export function weakest(scores: Scores): Dimension {
  const loss = (id: Dimension): number => DIMENSIONS[id].weight * (1 - scores[id].score);
  return DIMENSION_IDS.reduce((worst, id) => (loss(id) > loss(worst) ? id : worst), 'd1');
}

/** The scores and their evidence, for the check run. */
export function scoreTable(scores: Scores): string {
  const rows = DIMENSION_IDS.map((id) => {
    const { score, evidence } = scores[id];
    return `| ${id.toUpperCase()} ${DIMENSIONS[id].name} | ${score.toFixed(2)} | ${evidence.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')} |`;
  });
  return ['| dimension | score | evidence |', '|---|---|---|', ...rows].join('\n');
}
