import { percent, table } from '../report/tables.ts';
import type { NoteFinding } from './measure-notes.ts';

export interface NotesReport {
  readonly collection: string;
  /** Notes in a memory. */
  readonly size: number;
  /** How many questions in other words were asked; shares are between 0 and 1. */
  readonly questions: number;
  /** How often the note is among the first five results, of questions that share words with it and of the others. */
  readonly usualAt5: number;
  readonly otherAt5: number;
  readonly otherWithoutResult: number;
  /** Results of a question that no note answers, on average. */
  readonly offTopicResults: number;
}

export function notesReport(findings: readonly NoteFinding[]): readonly NotesReport[] {
  const groups = new Map<string, NoteFinding[]>();
  for (const finding of findings) {
    const name = `${finding.collection} ${finding.size}`;
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  return [...groups.values()].map(reportOf);
}

function reportOf(findings: readonly NoteFinding[]): NotesReport {
  const of = (wording: string) => findings.filter((finding) => finding.wording === wording);
  const [usual, other, offTopic] = [of('usual'), of('other'), of('off-topic')];
  return {
    collection: findings[0]?.collection ?? '',
    size: findings[0]?.size ?? 0,
    questions: other.length,
    usualAt5: mean(usual.map(isInFive)),
    otherAt5: mean(other.map(isInFive)),
    otherWithoutResult: mean(other.map(({ results }) => (results === 0 ? 1 : 0))),
    offTopicResults: mean(offTopic.map(({ results }) => results)),
  };
}

/** The tables of all configurations, in Markdown. */
export function notesTable(reports: ReadonlyMap<string, readonly NotesReport[]>): string {
  const head = [
    'notes',
    'collection',
    'in a memory',
    'questions in other words',
    'R@5',
    'without a result',
    'R@5 in the same words',
    'results off topic',
  ];
  const rows = [...reports].flatMap(([name, sizes]) =>
    sizes.map(({ collection, size, questions, usualAt5, otherAt5, otherWithoutResult, offTopicResults }) => [
      name,
      collection,
      String(size),
      String(questions),
      ...[otherAt5, otherWithoutResult, usualAt5].map(percent),
      offTopicResults.toFixed(1),
    ]),
  );
  return table(head, rows);
}

function isInFive({ rank }: NoteFinding): number {
  return rank !== undefined && rank <= 5 ? 1 : 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
