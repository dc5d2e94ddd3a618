/** One question, and the turns that a search found for it. */
export interface Finding {
  readonly category: number;
  readonly evidence: readonly string[];
  /** Each turn once, best first. */
  readonly turns: readonly string[];
}

/** The means over some questions; recalls and the reciprocal rank are between 0 and 1. */
export interface Scores {
  readonly questions: number;
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  /** Over everything that the reply held, which is bounded by its tokens. */
  readonly recallInReply: number;
  /** The mean of 1 / rank of the first turn of the evidence, 0 where none was found. */
  readonly reciprocalRank: number;
}

export function scoresOf(findings: readonly Finding[]): Scores {
  const mean = (score: (finding: Finding) => number) =>
    findings.reduce((sum, finding) => sum + score(finding), 0) / findings.length;
  return {
    questions: findings.length,
    recallAt5: mean((finding) => recall(finding, 5)),
    recallAt10: mean((finding) => recall(finding, 10)),
    recallAt20: mean((finding) => recall(finding, 20)),
    recallInReply: mean((finding) => recall(finding, finding.turns.length)),
    reciprocalRank: mean(reciprocalRank),
  };
}

/** The part of the evidence that is among the first `k` turns. */
function recall({ evidence, turns }: Finding, k: number): number {
  const first = new Set(turns.slice(0, k));
  const wanted = new Set(evidence);
  return [...wanted].filter((turn) => first.has(turn)).length / wanted.size;
}

function reciprocalRank({ evidence, turns }: Finding): number {
  const index = turns.findIndex((turn) => evidence.includes(turn));
  return index === -1 ? 0 : 1 / (index + 1);
}
