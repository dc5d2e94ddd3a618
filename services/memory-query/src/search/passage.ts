import type { Candidate } from './candidates.ts';
import type { Question } from './question.ts';
import { passageDecay, passageReach } from './search-settings.ts';
import type { TermWeights } from './term-weights.ts';

/** How well a unit and its neighbours in the document match a question together. */
export interface PassageMatch {
  /** The share of the question's words in the passage, weighted by rarity. */
  readonly match: number;
  /** The same, weighted by inverse document frequency and by how often they occur; more distant units count less. */
  readonly weighted: number;
  /** The same with each word counting 1, without the names of speakers. */
  readonly coverage: number;
}

/** Matches the passage of each candidate: the candidates within reach of it in the same document. */
export function matchPassages(
  candidates: readonly Candidate[],
  question: Question,
  weights: TermWeights,
  speakerTerms: ReadonlySet<number>,
): ReadonlyMap<Candidate, PassageMatch> {
  const terms = weighedTerms(question, weights, speakerTerms);
  const members = candidates.map((candidate) => memberOf(candidate, question));
  const byDocument = Map.groupBy(members, ({ candidate: { unit } }) =>
    unit.documentId === null ? unit._id : unit.operationId,
  );
  const matches = new Map<Candidate, PassageMatch>();
  for (const document of byDocument.values()) {
    document.sort((left, right) => left.place - right.place);
    for (const [index, { candidate }] of document.entries()) matches.set(candidate, matchAt(document, index, terms));
  }
  return matches;
}

interface Member {
  readonly candidate: Candidate;
  readonly place: number;
  /** The weight of each term of the question in it, in the question's order. */
  readonly values: readonly number[];
}

function memberOf(candidate: Candidate, { terms }: Question): Member {
  return { candidate, place: candidate.unit.fact, values: terms.map(({ id }) => candidate.terms.get(id) ?? 0) };
}

interface WeighedTerm {
  /** Shares of the whole question, which add up to 1. */
  readonly rarity: number;
  readonly idf: number;
  readonly content: number;
}

function weighedTerms({ terms }: Question, weights: TermWeights, speakerTerms: ReadonlySet<number>): WeighedTerm[] {
  const weighed = terms.map(({ id, count }) => {
    const { rarity, idf } = weights.get(id) ?? { rarity: 0, idf: 0 };
    return { rarity: rarity * count, idf: idf * count, content: speakerTerms.has(id) ? 0 : 1 };
  });
  const sum = (key: keyof WeighedTerm) => weighed.reduce((total, term) => total + term[key], 0) || 1;
  const totals = { rarity: sum('rarity'), idf: sum('idf'), content: sum('content') };
  return weighed.map(({ rarity, idf, content }) => {
    return { rarity: rarity / totals.rarity, idf: idf / totals.idf, content: content / totals.content };
  });
}

function matchAt(document: readonly Member[], index: number, terms: readonly WeighedTerm[]): PassageMatch {
  const around = aroundOf(document, index);
  let [match, weighted, coverage] = [0, 0, 0];
  for (const [term, { rarity, idf, content }] of terms.entries()) {
    let best = 0;
    for (const { member, share } of around) best = Math.max(best, (member.values[term] ?? 0) * share);
    if (best === 0) continue;
    match += rarity;
    weighted += idf * best;
    coverage += content;
  }
  return { match, weighted, coverage };
}

/** The members within reach, and the share by which their words count at their distance. */
function aroundOf(document: readonly Member[], index: number): { member: Member; share: number }[] {
  const center = document[index]?.place ?? 0;
  return document
    .slice(Math.max(0, index - passageReach), index + passageReach + 1)
    .map((member) => ({ member, distance: Math.abs(member.place - center) }))
    .filter(({ distance }) => distance <= passageReach)
    .map(({ member, distance }) => ({ member, share: passageDecay ** distance }));
}
