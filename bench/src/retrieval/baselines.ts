import { createBm25 } from '../scoring/bm25.ts';
import type { Ranking } from '../scoring/scores.ts';
import { stemsOf } from '../scoring/words.ts';
import type { History, Session, Turn } from './history.ts';

/** The token budget of a reply, which is the default of a search. */
export const tokenBudget = 4_096;

/** The baseline that the others are compared with. */
export const reference = 'BM25+nb';
export const baselines = ['BM25', reference, 'BM25+date+nb'] as const;
export type Baseline = (typeof baselines)[number];

const charactersPerToken = 4;
const neighbourShare = 0.3;

/** A ranking with the score of each turn. */
export interface ScoredRanking extends Ranking {
  readonly scores: readonly number[];
}

interface Document {
  readonly turn: string;
  readonly session: Session;
  readonly text: string;
}

/**
 * BM25 over the turns of one history: as they are, with 0.3 times the scores of the turns before and after in the
 * same session, and that with the session's date in the text. Captions of images are left out.
 * @returns for each baseline a function from a question to all turns with a score above 0
 */
export function baselineSearches(history: History): Record<Baseline, (question: string) => ScoredRanking> {
  const documents = documentsOf(history, turnText);
  const dated = documentsOf(history, (turn, { date }) => `${turnText(turn)} ${longDate(date)}`);
  const index = createBm25(documents.map(({ text }) => stemsOf(text)));
  const datedIndex = createBm25(dated.map(({ text }) => stemsOf(text)));
  return {
    BM25: (question) => rank(documents, index.scores(stemsOf(question))),
    'BM25+nb': (question) => rank(documents, withNeighbours(documents, index.scores(stemsOf(question)))),
    'BM25+date+nb': (question) => rank(documents, withNeighbours(dated, datedIndex.scores(stemsOf(question)))),
  };
}

function documentsOf({ sessions }: History, text: (turn: Turn, session: Session) => string): Document[] {
  return sessions.flatMap((session) =>
    session.turns.map((turn) => ({ turn: turn.turn, session, text: text(turn, session) })),
  );
}

function turnText({ speaker, text }: Turn): string {
  return `${speaker}: ${text}`;
}

function longDate(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

function withNeighbours(documents: readonly Document[], scores: readonly number[]): number[] {
  const scoreAt = (index: number, session: Session | undefined) =>
    documents[index]?.session === session ? (scores[index] ?? 0) : 0;
  return scores.map((score, index) => {
    const session = documents[index]?.session;
    return score + neighbourShare * (scoreAt(index - 1, session) + scoreAt(index + 1, session));
  });
}

/** Turns of equal score stay in the order of the history. */
function rank(documents: readonly Document[], scores: readonly number[]): ScoredRanking {
  const ranked = documents
    .map((document, index) => ({ ...document, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  let characters = 0;
  const exceeding = ranked.findIndex(({ text }) => {
    characters += text.length;
    return characters > tokenBudget * charactersPerToken;
  });
  return {
    turns: ranked.map(({ turn }) => turn),
    scores: ranked.map(({ score }) => score),
    turnsInBudget: exceeding === -1 ? ranked.length : exceeding,
  };
}
