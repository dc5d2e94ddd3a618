import { estimateCell, percent, table } from '../report/tables.ts';
import { type Estimate, estimate } from '../scoring/bootstrap.ts';
import type { JunkCount, PlainFinding, PlainRun } from './measure-plain.ts';

/** Over the questions of one wording; means are between 0 and 1. */
interface PlainScores {
  readonly questions: number;
  readonly recallAt1: Estimate;
  readonly recallAt5: Estimate;
  readonly recallInReply: Estimate;
  readonly reciprocalRank: Estimate;
  /** How often the first result is of the right document. */
  readonly rightDocumentFirst: Estimate;
}

interface JunkScores {
  readonly results: number;
  readonly relevantResults: number;
  readonly most: number;
  readonly questions: readonly JunkCount[];
}

interface Missed {
  readonly question: string;
  readonly wording: string;
  readonly rank: number | undefined;
}

export interface PlainReport {
  readonly usual: PlainScores;
  readonly other: PlainScores;
  /** Results of off-topic questions. */
  readonly alone: JunkScores;
  readonly besideOthers: JunkScores;
  /** The questions whose evidence is not among the first five results. */
  readonly missed: readonly Missed[];
}

export function plainReport({ findings, junk, sharedJunk }: PlainRun): PlainReport {
  const ofWording = (wording: string) => findings.filter(({ question }) => question.wording === wording);
  return {
    usual: scoresOf(ofWording('usual')),
    other: scoresOf(ofWording('other')),
    alone: junkScores(junk),
    besideOthers: junkScores(sharedJunk),
    missed: findings
      .filter((finding) => !isWithin(finding, 5))
      .map(({ question: { question, wording }, rank }) => ({ question, wording, rank })),
  };
}

/** The tables of all configurations, in Markdown. */
export function plainTables(reports: ReadonlyMap<string, PlainReport>): string {
  const scoreHead = ['plain', 'wording', 'questions', 'R@1', 'R@5', 'R in reply', 'MRR', 'right document first'];
  const scoreRows = [...reports].flatMap(([name, { usual, other }]) => [
    [name, 'usual', ...cells(usual)],
    [name, 'other words', ...cells(other)],
  ]);
  const junkHead = ['plain', 'off-topic questions', 'asked', 'results', 'not of low relevance', 'most', 'of each'];
  const junkRows = [...reports].flatMap(([name, { alone, besideOthers }]) => [
    [name, 'the agent alone', ...junkCells(alone)],
    [name, 'beside another agent', ...junkCells(besideOthers)],
  ]);
  return [table(scoreHead, scoreRows), table(junkHead, junkRows)].join('\n\n');
}

function junkScores(questions: readonly JunkCount[]): JunkScores {
  const mean = (count: (each: JunkCount) => number) =>
    questions.reduce((sum, each) => sum + count(each), 0) / questions.length;
  return {
    results: mean(({ results }) => results),
    relevantResults: mean(({ relevantResults }) => relevantResults),
    most: Math.max(...questions.map(({ results }) => results)),
    questions,
  };
}

function junkCells({ results, relevantResults, most, questions }: JunkScores): string[] {
  const each = questions.map((question) => question.results).join(' ');
  return [String(questions.length), results.toFixed(1), relevantResults.toFixed(1), String(most), each];
}

function scoresOf(findings: readonly PlainFinding[]): PlainScores {
  const share = (is: (finding: PlainFinding) => boolean) => estimate(findings.map((finding) => (is(finding) ? 1 : 0)));
  return {
    questions: findings.length,
    recallAt1: share((finding) => isWithin(finding, 1)),
    recallAt5: share((finding) => isWithin(finding, 5)),
    recallInReply: share(({ rank }) => rank !== undefined),
    reciprocalRank: estimate(findings.map(({ rank }) => (rank === undefined ? 0 : 1 / rank))),
    rightDocumentFirst: share(({ isRightDocument }) => isRightDocument),
  };
}

function isWithin({ rank }: PlainFinding, k: number): boolean {
  return rank !== undefined && rank <= k;
}

function cells(scores: PlainScores): string[] {
  const { questions, recallAt1, recallAt5, recallInReply, reciprocalRank, rightDocumentFirst } = scores;
  const estimates = [recallAt1, recallAt5, recallInReply, reciprocalRank, rightDocumentFirst];
  return [String(questions), ...estimates.map((each) => estimateCell(each, percent))];
}
