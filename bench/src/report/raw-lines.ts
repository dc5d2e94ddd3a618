import { appendFile, writeFile } from 'node:fs/promises';
import type { PlainRun } from '../plain/measure-plain.ts';
import { categoryOf } from '../retrieval/history.ts';
import type { Answer } from '../retrieval/measure-set.ts';
import { halfOf, halfOfText } from '../retrieval/questions.ts';

/** Baselines rank every turn with a word of the question; a line has the first of them only. */
const maxTurns = 200;

/** A file of JSON lines, one for each question and method. */
export interface RawLines {
  ofSet(set: string, method: string, answers: readonly Answer[]): Promise<void>;
  ofPlain(method: string, run: PlainRun): Promise<void>;
}

/** @param file is overwritten; undefined to write nothing */
export async function createRawLines(file: string | undefined): Promise<RawLines> {
  if (file === undefined) return { ofSet: async () => {}, ofPlain: async () => {} };
  await writeFile(file, '');
  const append = (lines: readonly unknown[]) =>
    appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return {
    ofSet: (set, method, answers) => append(answers.map((answer) => ({ set, method, ...setLine(answer) }))),
    ofPlain: (method, run) => append(run.findings.map((finding) => ({ set: 'plain', method, ...plainLine(finding) }))),
  };
}

function setLine({ history, question, ranking: { turns, scores, turnsInBudget, ...found } }: Answer) {
  return {
    history: history.conversation,
    question: question.question,
    category: categoryOf(question),
    half: halfOf({ history, question }),
    evidence: question.evidence,
    ranked: turns.slice(0, maxTurns).map((turn, index) => ({ turn, score: scores[index] ?? 0 })),
    turns_in_budget: turnsInBudget,
    ...found,
  };
}

function plainLine({ question, rank, results }: PlainRun['findings'][number]) {
  return {
    question: question.question,
    category: question.wording,
    half: halfOfText('plain', question.question),
    evidence: question.key,
    rank,
    ranked: results.map(({ text, document_id, score, relevance }) => ({
      text,
      document: document_id,
      score,
      relevance,
    })),
  };
}
