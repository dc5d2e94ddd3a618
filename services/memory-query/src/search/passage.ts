import type { Candidate } from './candidate.ts';
import type { Question } from './question.ts';
import { passageDecay, passageReach } from './search-settings.ts';
import type { TermWeights } from './term-weights.ts';

/** How well a unit and those around it in its document answer a question together. */
export interface PassageMatch {
  /** The share of the question's words that the passage has, by rarity. */
  readonly match: number;
  /** The same by inverse document frequency and how often they come, what is farther from the unit counting less. */
  readonly weighted: number;
  /** Of the terms of the question, those that the passage has. */
  readonly terms: ReadonlySet<number>;
}

/** Finds the passage of any of the candidates: those of them that stand within reach in the same document. */
export function passagesOf(candidates: readonly Candidate[], question: Question, weights: TermWeights) {
  const byPlace = new Map(candidates.map((each) => [placeOf(each.unit), each]));
  return (candidate: Candidate): PassageMatch => matchOf(aroundOf(candidate, byPlace), question, weights);
}

interface Member {
  readonly terms: Candidate['terms'];
  /** What counts of its words, by its distance. */
  readonly share: number;
}

function aroundOf(candidate: Candidate, byPlace: ReadonlyMap<string, Candidate>): Member[] {
  const { documentId, operationId, fact } = candidate.unit;
  if (documentId === null) return [{ terms: candidate.terms, share: 1 }];
  const members: Member[] = [];
  for (let distance = -passageReach; distance <= passageReach; distance += 1) {
    const member = byPlace.get(placeOf({ operationId, fact: fact + distance }));
    if (member) members.push({ terms: member.terms, share: passageDecay ** Math.abs(distance) });
  }
  return members;
}

function matchOf(members: readonly Member[], question: Question, weights: TermWeights): PassageMatch {
  let [rarity, found, idf, weighted] = [0, 0, 0, 0];
  const terms = new Set<number>();
  for (const { id, count } of question.terms) {
    const weight = weights.get(id) ?? { idf: 0, rarity: 0 };
    const best = Math.max(...members.map((member) => (member.terms.get(id) ?? 0) * member.share));
    rarity += weight.rarity * count;
    idf += weight.idf * count;
    weighted += weight.idf * count * best;
    if (best === 0) continue;
    found += weight.rarity * count;
    terms.add(id);
  }
  return { match: rarity === 0 ? 0 : found / rarity, weighted: idf === 0 ? 0 : weighted / idf, terms };
}

/** Where a unit stands. */
export function placeOf({ operationId, fact }: { readonly operationId: string; readonly fact: number }): string {
  return `${operationId}:${fact}`;
}
