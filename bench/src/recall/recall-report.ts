import { type RecallRun, tokenBudget } from './measure-recall.ts';
import { type Scores, scoresOf } from './scores.ts';

const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop'] as const;
const adversarial = 5;

/** The figures of a run; those of `overall` leave out the adversarial questions. */
export interface RecallReport {
  readonly overall: Scores;
  readonly byCategory: Readonly<Record<string, Scores>>;
  /** Questions whose evidence is another speaker's. */
  readonly adversarialReciprocalRank: number;
  readonly adversarialQuestions: number;
  readonly tokenBudget: number;
  readonly turns: number;
  readonly storeSeconds: number;
  readonly searchSeconds: number;
}

export function recallReport({ findings, turns, storeSeconds, searchSeconds }: RecallRun): RecallReport {
  const ofCategory = (number: number) => findings.filter(({ category }) => category === number);
  const { questions, reciprocalRank } = scoresOf(ofCategory(adversarial));
  return {
    overall: scoresOf(findings.filter(({ category }) => category !== adversarial)),
    byCategory: Object.fromEntries(categories.map((name, index) => [name, scoresOf(ofCategory(index + 1))])),
    adversarialReciprocalRank: reciprocalRank,
    adversarialQuestions: questions,
    tokenBudget,
    turns,
    storeSeconds,
    searchSeconds,
  };
}

export function recallTable(report: RecallReport): string {
  const rows = [['overall (1-4)', report.overall] as const, ...Object.entries(report.byCategory)];
  const adversarialRank = percent(report.adversarialReciprocalRank);
  const searches = report.overall.questions + report.adversarialQuestions;
  return [
    `| category | questions | R@5 | R@10 | R@20 | R@${report.tokenBudget} tokens | MRR |`,
    '|---|---|---|---|---|---|---|',
    ...rows.map(([name, scores]) => `| ${name} | ${cells(scores).join(' | ')} |`),
    `| adversarial (5) | ${report.adversarialQuestions} | | | | | ${adversarialRank} |`,
    '',
    `${report.turns} turns stored in ${report.storeSeconds.toFixed(1)} s, ` +
      `${searches} questions asked in ${report.searchSeconds.toFixed(1)} s`,
  ].join('\n');
}

function cells({ questions, recallAt5, recallAt10, recallAt20, recallInReply, reciprocalRank }: Scores): string[] {
  return [String(questions), ...[recallAt5, recallAt10, recallAt20, recallInReply, reciprocalRank].map(percent)];
}

function percent(part: number): string {
  return (part * 100).toFixed(1);
}
