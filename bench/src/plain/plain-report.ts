import type { PlainFinding, PlainRun } from './measure-plain.ts';

/** The means over some questions, between 0 and 1. */
interface PlainScores {
  readonly questions: number;
  readonly recallAt1: number;
  readonly recallAt5: number;
  readonly recallInReply: number;
  readonly reciprocalRank: number;
  /** How often the first result is of the right document. */
  readonly rightDocumentFirst: number;
}

interface Missed {
  readonly question: string;
  readonly wording: string;
  readonly rank: number | undefined;
}

export interface PlainReport {
  readonly usual: PlainScores;
  readonly other: PlainScores;
  /** Results per question that nothing answers. */
  readonly meanJunk: number;
  readonly junk: PlainRun['junk'];
  /** The questions whose evidence is not among the first five results. */
  readonly missed: readonly Missed[];
}

export function plainReport({ findings, junk }: PlainRun): PlainReport {
  const ofWording = (wording: string) => findings.filter(({ question }) => question.wording === wording);
  return {
    usual: scoresOf(ofWording('usual')),
    other: scoresOf(ofWording('other')),
    meanJunk: mean(junk.map(({ results }) => results)),
    junk,
    missed: findings
      .filter((finding) => !isWithin(finding, 5))
      .map(({ question: { question, wording }, rank }) => ({ question, wording, rank })),
  };
}

export function plainTable(report: PlainReport): string {
  const rows = [
    ['usual', report.usual],
    ['in other words', report.other],
  ] as const;
  return [
    '| wording | questions | R@1 | R@5 | R in reply | MRR | right document first |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(([name, scores]) => `| ${name} | ${cells(scores).join(' | ')} |`),
    '',
    `${report.junk.length} questions that nothing answers: ${report.meanJunk.toFixed(1)} results on average ` +
      `(${report.junk.map(({ results }) => results).join(', ')})`,
    ...report.missed.map(
      ({ question, wording, rank }) => `not among the first five, ${wording}: ${question} (${rank ?? 'not found'})`,
    ),
  ].join('\n');
}

function scoresOf(findings: readonly PlainFinding[]): PlainScores {
  const part = (is: (finding: PlainFinding) => boolean) => mean(findings.map((finding) => (is(finding) ? 1 : 0)));
  return {
    questions: findings.length,
    recallAt1: part((finding) => isWithin(finding, 1)),
    recallAt5: part((finding) => isWithin(finding, 5)),
    recallInReply: part(({ rank }) => rank !== undefined),
    reciprocalRank: mean(findings.map(({ rank }) => (rank === undefined ? 0 : 1 / rank))),
    rightDocumentFirst: part(({ isRightDocument }) => isRightDocument),
  };
}

function isWithin({ rank }: PlainFinding, k: number): boolean {
  return rank !== undefined && rank <= k;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function cells({ questions, ...parts }: PlainScores): string[] {
  const { recallAt1, recallAt5, recallInReply, reciprocalRank, rightDocumentFirst } = parts;
  const percents = [recallAt1, recallAt5, recallInReply, reciprocalRank, rightDocumentFirst];
  return [String(questions), ...percents.map((value) => (value * 100).toFixed(1))];
}
