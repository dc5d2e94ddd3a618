import { readItemDate } from '../dates/calendar.ts';
import { dayText } from '../dates/date-words.ts';
import type { Thinker, ThinkFact, ThinkInput } from '../reasoning-ports.ts';
import { createLexicalEncoder, type LexicalEncoder } from '../text/lexical-encoder.ts';

const maxFacts = 3;
const maxOpinions = 2;
/** The share of the question's weight that a fact must have to be an answer. */
const leastShare = 0.34;
/** Facts below this share of the best score are left out. */
const shareOfBest = 0.7;
const longestFact = 600;
/** Words of a question that do not tell what it is about. */
const askingWords = /\b(?:tell|know|remember|think|say|opinion|feel|believe|describe|explain|please|thoughts?)\b/gi;
const asksAboutSelf = /\b(?:you|your|yourself)\b/i;

const unknown = 'I do not know. Nothing that I remember answers this.';

/**
 * Answers without a model, by quoting the facts that share the rarest words with the question. It draws no conclusions,
 * forms no opinions, and answers that it does not know when no fact matches.
 */
export function createExtractiveThinker(): Thinker {
  const encoder = createLexicalEncoder();
  return {
    name: 'mneme-extracts-v1',
    promptVersion: 'none',
    think: async (input, signal) => {
      signal?.throwIfAborted();
      const terms = new Set(encoder.query(input.query.replace(askingWords, ' ')).indices);
      const facts = [...input.worldFacts, ...input.agentFacts, ...contextFacts(input)];
      const known = bestOf(facts, maxFacts, terms, encoder);
      const held = bestOf(input.opinions, maxOpinions, terms, encoder);
      return phrase(known, held, aboutSelf(input, terms));
    },
  };
}

function contextFacts({ context }: ThinkInput): ThinkFact[] {
  return context === null || context.trim() === '' ? [] : [{ text: context, eventDate: null }];
}

/** A question only about the agent itself is answered with its background. */
function aboutSelf({ query, agent }: ThinkInput, terms: ReadonlySet<number>): string {
  return terms.size === 0 && asksAboutSelf.test(query) ? agent.background.trim() : '';
}

function bestOf<Fact extends ThinkFact>(
  facts: readonly Fact[],
  max: number,
  terms: ReadonlySet<number>,
  encoder: LexicalEncoder,
): Fact[] {
  if (terms.size === 0) return [];
  const documents = facts.map((fact) => new Set(encoder.document(fact.text).indices));
  const weights = new Map([...terms].map((term) => [term, weightOf(term, documents)]));
  const total = sumOf(weights, () => true);
  const scored = facts.map((fact, index) => ({
    fact,
    score: sumOf(weights, (term) => documents[index]?.has(term) ?? false) / total,
  }));
  const best = Math.max(leastShare / shareOfBest, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score >= best * shareOfBest)
    .sort((left, right) => right.score - left.score)
    .slice(0, max)
    .map(({ fact }) => fact);
}

/** Higher for terms of few facts, but never 0 (smoothed inverse document frequency). */
function weightOf(term: number, documents: readonly ReadonlySet<number>[]): number {
  const having = documents.filter((document) => document.has(term)).length;
  return Math.log(1 + (documents.length + 1) / (having + 0.5));
}

function sumOf(weights: ReadonlyMap<number, number>, counts: (term: number) => boolean): number {
  return [...weights].reduce((sum, [term, weight]) => sum + (counts(term) ? weight : 0), 0);
}

function phrase(known: readonly ThinkFact[], held: readonly ThinkFact[], self: string): string {
  const parts: string[] = [];
  if (self !== '') parts.push(self);
  if (known.length > 0) parts.push(`I remember this: ${known.map(quote).join(' ')}`);
  if (held.length > 0) parts.push(`My opinion so far: ${held.map(quote).join(' ')}`);
  return parts.length === 0 ? unknown : parts.join(' ');
}

function quote({ text, eventDate }: ThinkFact): string {
  const line = text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replaceAll(/["“”«»]/g, "'")
    .trim();
  const short = line.length > longestFact ? `${line.slice(0, longestFact).trimEnd()}...` : line;
  const date = eventDate === null ? undefined : readItemDate(eventDate);
  return date === undefined ? `"${short}"` : `"${short}" (${dayText(date.day)})`;
}
