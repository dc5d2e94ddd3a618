import type { Candidate } from './candidate.ts';
import type { Question } from './question.ts';
import {
  coverageShare,
  documentShare,
  questionSpread,
  type SearchSettings,
  spreadByDistance,
} from './search-settings.ts';
import type { TermWeights } from './term-weights.ts';
import { hasQuestion } from './unit-form.ts';

/** What a candidate's activation is made of. All of them are 0 or more; a match of all words is about 1. */
export interface Activation {
  /** The share of the question's words that it has, by rarity. */
  readonly match: number;
  /** `match` and likeness of meaning, lifted by how many of the words it has. */
  readonly own: number;
  /** What its neighbours pass on to it. */
  readonly spread: number;
  /** What the best of its document pass on to it. */
  readonly document: number;
}

export interface Activated extends Candidate {
  readonly activation: Activation;
}

export function totalOf({ own, spread, document }: Activation): number {
  return own + spread + document;
}

/** Activates the candidates by what they say, and lets activation spread once between neighbours and within documents. */
export function activate(
  candidates: readonly Candidate[],
  question: Question,
  weights: TermWeights,
  settings: SearchSettings,
): Activated[] {
  const speakerTerms = new Set(candidates.flatMap(({ speakerTerms }) => speakerTerms));
  const matched = candidates.map((candidate) => {
    const { match, weighted } = matchOf(candidate, question, weights);
    const meaning = settings.denseScore * Math.max(0, candidate.similarity - settings.denseFloor);
    const own = (weighted + meaning) * (1 + coverageShare * coverageOf(candidate, question, speakerTerms));
    return { candidate, match, own };
  });
  const own = new Map(matched.map((each) => [placeOf(each.candidate), each]));
  const best = bestOfDocuments(matched);
  return matched.map(({ candidate, match, own: mine }) => {
    const document = documentShare * (best.get(candidate.unit.documentKey ?? '') ?? 0);
    return { ...candidate, activation: { match, own: mine, spread: spreadTo(candidate, own), document } };
  });
}

type Matched = { readonly candidate: Candidate; readonly match: number; readonly own: number };

/** The share of the question's words that it has, by rarity; `weighted` also counts how often it has them. */
function matchOf({ terms }: Candidate, question: Question, weights: TermWeights): { match: number; weighted: number } {
  let [rarity, found, idf, weighted] = [0, 0, 0, 0];
  for (const { id, count } of question.terms) {
    const weight = weights.get(id) ?? { idf: 0, rarity: 0 };
    rarity += weight.rarity * count;
    found += terms.has(id) ? weight.rarity * count : 0;
    idf += weight.idf * count;
    weighted += weight.idf * count * (terms.get(id) ?? 0);
  }
  return { match: rarity === 0 ? 0 : found / rarity, weighted: idf === 0 ? 0 : weighted / idf };
}

/** The share of the question's words that it has, each counting 1, the names of those who speak left out, since every line of theirs has them. */
function coverageOf({ terms }: Candidate, question: Question, speakerTerms: ReadonlySet<number>): number {
  const content = question.terms.filter(({ id }) => !speakerTerms.has(id));
  return content.length === 0 ? 0 : content.filter(({ id }) => terms.has(id)).length / content.length;
}

function spreadTo({ unit }: Candidate, own: ReadonlyMap<string, Matched>): number {
  if (unit.documentId === null) return 0;
  let spread = 0;
  for (const distance of [1, 2, -1, -2] as const) {
    const source = own.get(placeOf({ unit: { operationId: unit.operationId, fact: unit.fact - distance } }));
    if (!source) continue;
    const factor = distance === 1 && hasQuestion(source.candidate.unit.text) ? questionSpread : 1;
    spread += source.own * spreadByDistance[distance] * factor;
  }
  return spread;
}

/** Per document the mean of its three best. */
function bestOfDocuments(matched: readonly Matched[]): ReadonlyMap<string, number> {
  const byDocument = Map.groupBy(
    matched.filter(({ candidate }) => candidate.unit.documentKey !== null),
    ({ candidate }) => candidate.unit.documentKey ?? '',
  );
  return new Map(
    [...byDocument].map(([key, members]) => {
      const best = members.map(({ own }) => own).sort((left, right) => right - left);
      return [key, best.slice(0, 3).reduce((sum, each) => sum + each, 0) / 3];
    }),
  );
}

function placeOf({ unit }: { unit: { operationId: string; fact: number } }): string {
  return `${unit.operationId}:${unit.fact}`;
}
