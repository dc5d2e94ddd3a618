import type { Junk, PlainFinding, PlainRun } from './measure-plain.ts';

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

interface JunkScores {
  readonly mean: number;
  readonly most: number;
  readonly questions: readonly Junk[];
}

interface Missed {
  readonly question: string;
  readonly wording: string;
  readonly rank: number | undefined;
}

export interface PlainReport {
  readonly usual: PlainScores;
  readonly other: PlainScores;
  /** Results of questions that nothing answers. */
  readonly alone: JunkScores;
  readonly besideOthers: JunkScores;
  /** Of the other agents; undefined where they were not asked. */
  readonly ofOthers: JunkScores | undefined;
  /** The questions whose evidence is not among the first five results. */
  readonly missed: readonly Missed[];
}

export function plainReport({ findings, junk, sharedJunk, junkOfOthers }: PlainRun): PlainReport {
  const ofWording = (wording: string) => findings.filter(({ question }) => question.wording === wording);
  return {
    usual: scoresOf(ofWording('usual')),
    other: scoresOf(ofWording('other')),
    alone: junkScores(junk),
    besideOthers: junkScores(sharedJunk),
    ofOthers: junkOfOthers.length > 0 ? junkScores(junkOfOthers) : undefined,
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
    '| questions that nothing answers | asked | results on average | most | of each |',
    '|---|---|---|---|---|',
    junkRow('the agent alone', report.alone),
    junkRow('the same beside others', report.besideOthers),
    ...(report.ofOthers ? [junkRow('the others', report.ofOthers)] : []),
    '',
    ...report.missed.map(
      ({ question, wording, rank }) => `not among the first five, ${wording}: ${question} (${rank ?? 'not found'})`,
    ),
  ].join('\n');
}

function junkScores(questions: readonly Junk[]): JunkScores {
  const results = questions.map((each) => each.results);
  return { mean: mean(results), most: Math.max(...results), questions };
}

function junkRow(name: string, { mean, most, questions }: JunkScores): string {
  const each = questions.map(({ results }) => results).join(' ');
  return `| ${name} | ${questions.length} | ${mean.toFixed(1)} | ${most} | ${each} |`;
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
