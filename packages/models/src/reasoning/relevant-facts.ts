import { findTimeWindow } from '../dates/window/find-time-window.ts';
import type { ThinkFact } from '../reasoning-ports.ts';
import { identifiersOf } from '../text/identifiers.ts';
import type { LexicalEncoder } from '../text/lexical-encoder.ts';

/** A fact that is relevant to a question, with a score from 0 to 1. */
export interface RelevantFact {
  readonly fact: ThinkFact;
  readonly score: number;
}

/** The share of the question's weight that a fact without a score must have. */
const leastShare = 0.34;

/**
 * The facts that are relevant to a question: by the search that found them, or, if they were not found by a search, by the
 * significant words that they share with the question. A search gives 0.5 for all words too.
 * @param terms the question's significant words, as the encoder numbers them
 */
export function relevantFacts(
  facts: readonly ThinkFact[],
  terms: ReadonlySet<number>,
  encoder: LexicalEncoder,
): RelevantFact[] {
  const found = facts.flatMap((fact) =>
    fact.score !== undefined && fact.relevance === 'high' ? [{ fact, score: fact.score }] : [],
  );
  const unscored = facts.filter(({ score }) => score === undefined);
  return [...found, ...sharingWords(unscored, terms, encoder)];
}

function sharingWords(
  facts: readonly ThinkFact[],
  terms: ReadonlySet<number>,
  encoder: LexicalEncoder,
): RelevantFact[] {
  if (terms.size === 0) return [];
  const documents = facts.map((fact) => new Set(encoder.document(fact.text).indices));
  const weights = new Map([...terms].map((term) => [term, weightOf(term, documents)]));
  const total = sumOf(weights, () => true);
  return facts
    .map((fact, index) => ({ fact, share: sumOf(weights, (term) => documents[index]?.has(term) ?? false) / total }))
    .filter(({ share }) => share >= leastShare)
    .map(({ fact, share }) => ({ fact, score: share / (1 + share) }));
}

/** Words with a capital letter in the middle of a sentence, and those whose something is at its start: "Anna's doctor?" */
const capitalInSentence = /(?<=[^\s.?!]\s)\p{Lu}[\p{L}\p{N}]*|^\p{Lu}\p{L}+(?=['’]s\b)/gu;

/** A question and its significant words. */
export interface AskedQuestion {
  readonly text: string;
  /** The moment of asking, ISO 8601. */
  readonly now: string;
  readonly terms: ReadonlySet<number>;
}

/**
 * Whether the facts share more with the question than names: "Is Anna married?" finds everything about Anna. A question
 * of nothing but names only asks for these, all of them: "Has Anna been to Japan?". A question that only asks what happened
 * at a time shares no word with the facts of that time. Of a question about "INV-55" this is what they have to share.
 */
export function sharesWhatIsAsked(
  facts: readonly ThinkFact[],
  { text: question, now, terms }: AskedQuestion,
  encoder: LexicalEncoder,
): boolean {
  const window = findTimeWindow(question, now);
  const identified = identifiersOf(window ? question.replace(window.phrase, ' , ') : question);
  if (identified !== undefined && !facts.some(({ text }) => identified(text) === 'asked')) return false;
  const ofTime = window ? encoder.query(`happened ${window.phrase}`).indices : [];
  const topics = terms.difference(new Set(ofTime));
  if (topics.size === 0) return window !== null;
  const names = topics.intersection(namesIn(question, encoder));
  const others = topics.difference(names);
  const shared = new Set(facts.flatMap(({ text }) => encoder.document(text).indices));
  return others.size === 0 ? names.isSubsetOf(shared) : !others.isDisjointFrom(shared);
}

/** Whether a question is about a time, or has an identifier or a name: what is said of it is known by that. */
export function isParticular({ text, now }: AskedQuestion, encoder: LexicalEncoder): boolean {
  return findTimeWindow(text, now) !== null || identifiersOf(text) !== undefined || namesIn(text, encoder).size > 0;
}

function namesIn(question: string, encoder: LexicalEncoder): ReadonlySet<number> {
  return new Set(encoder.query((question.match(capitalInSentence) ?? []).join(' ')).indices);
}

/** Higher for terms of few facts, but never 0 (smoothed inverse document frequency). */
function weightOf(term: number, documents: readonly ReadonlySet<number>[]): number {
  const having = documents.filter((document) => document.has(term)).length;
  return Math.log(1 + (documents.length + 1) / (having + 0.5));
}

function sumOf(weights: ReadonlyMap<number, number>, counts: (term: number) => boolean): number {
  return [...weights].reduce((sum, [term, weight]) => sum + (counts(term) ? weight : 0), 0);
}
