/** What a method found for one question. */
export interface Ranking {
  /** Each turn once, best first. */
  readonly turns: readonly string[];
  /** How many of the first turns fit into the token budget of a reply. */
  readonly turnsInBudget: number;
}

/** Of one question, or means over several; between 0 and 1. */
export interface Scores {
  /** The share of the evidence that is among the first 5, 10 and 20 turns. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  /** 1 / rank of the first turn of the evidence, 0 if none was found. */
  readonly reciprocalRank: number;
  /** The share of the evidence among the turns that fit into the token budget. */
  readonly recallInBudget: number;
}

export const measures = ['recallAt5', 'recallAt10', 'recallAt20', 'reciprocalRank', 'recallInBudget'] as const;
export type Measure = (typeof measures)[number];

/** @param evidence the turns that contain the answer, at least one */
export function scoresOf({ turns, turnsInBudget }: Ranking, evidence: readonly string[]): Scores {
  const wanted = new Set(evidence);
  const recall = (k: number) => turns.slice(0, k).filter((turn) => wanted.has(turn)).length / wanted.size;
  const first = turns.findIndex((turn) => wanted.has(turn));
  return {
    recallAt5: recall(5),
    recallAt10: recall(10),
    recallAt20: recall(20),
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
    recallInBudget: recall(turnsInBudget),
  };
}
