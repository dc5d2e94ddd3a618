import { dayOfEvent } from '../dates/calendar.ts';
import { dayText } from '../dates/date-words.ts';
import { splitSentences } from '../extraction/sentences.ts';
import type { Thinker, ThinkFact, ThinkInput } from '../reasoning-ports.ts';
import { createLexicalEncoder, type LexicalEncoder } from '../text/lexical-encoder.ts';
import { type AskedQuestion, isParticular, relevantFacts, sharesWhatIsAsked } from './relevant-facts.ts';

const maxFacts = 3;
const maxOpinions = 2;
/** Facts below this share of the best score are left out. */
const shareOfBest = 0.7;
/** An answer is sure from this score on: about what a fact gets that matches all of the question, in words or meaning. */
const sureFrom = 0.5;
/** Where nothing is relevant, the best fact with at least this score is quoted as the closest one. */
const closestFrom = 0.2;
const longestFact = 600;
const asksForQuestions = /\bquestions?\b|\bask(?:ed|s|ing)?\b/i;
/** A text that ends with a question, or with a date behind it. */
const question = /[?？](?:\s*\([^()]*\))*\s*$/u;
/** Words of a question that do not tell what it is about. */
const askingWords =
  /\b(?:tell|know|remember|think|say|opinion|feel|believe|describe|explain|please|thoughts?|done|lately|recently|so far)\b/gi;
/** "Do you know where Anna lives?" asks nothing about the agent. */
const address =
  /\b(?:do|did|can|could|would|will) you (?:please )?(?:tell|know|remember|think|say|believe|describe|explain)\b/gi;
const asksAboutSelf = /\b(?:you|your|yourself)\b/i;
const asksWhoItIs = /^(?:what|where|who|how|when|which)\b.*\b(?:you|your)\b/i;
const asksAboutOthers = /\b(?:I|we|he|she|they|about (?:me|us|him|her|them))\b/i;
const asksWhatWasDone =
  /\b(?:did you|you did|(?:(?:have|had|were|are) you|you (?:have|had|were|are)) .*\b(?:done|doing|been))\b/i;

const unknown = 'I do not know. Nothing that I remember answers this.';

/**
 * Answers without a model, by quoting the facts that the search found relevant, best first; facts without a score are
 * compared with the question by their words. Where nothing is relevant, it quotes the closest fact as such, or answers that
 * it does not know. It draws no conclusions and forms no opinions.
 */
export function createExtractiveThinker(): Thinker {
  const encoder = createLexicalEncoder();
  return {
    name: 'mneme-extracts-v2',
    promptVersion: 'none',
    think: async (input, signal) => {
      signal?.throwIfAborted();
      return answer(input, encoder);
    },
  };
}

function answer(input: ThinkInput, encoder: LexicalEncoder): string {
  const terms = new Set(encoder.query(input.query.replace(askingWords, ' ')).indices);
  if (terms.size === 0 && isAboutAgent(input.query)) return aboutSelf(input);
  const facts = [...contextFacts(input), ...backgroundFacts(input), ...input.worldFacts, ...input.agentFacts];
  const relevant = relevantFacts(facts, terms, encoder);
  const known = best(asksForQuestions.test(input.query) ? relevant : withoutQuestions(relevant), maxFacts);
  const held = best(relevantFacts(input.opinions, terms, encoder), maxOpinions);
  const quoted = [...known, ...held];
  const asked = { text: input.query, now: input.now, terms };
  if (quoted.length === 0) return closest([...input.worldFacts, ...input.agentFacts], asked, encoder);
  // What was answered to the same question need not repeat its words.
  const compared = [...quoted, ...relevant.filter(({ fact }) => question.test(fact.text))];
  const isSure =
    quoted.some(({ score, fact }) => score >= sureFrom && !question.test(fact.text)) &&
    sharesWhatIsAsked(compared.map(asFact), asked, encoder);
  return phrase({ known: known.map(asFact), held: held.map(asFact), isSure, now: input.now });
}

function contextFacts({ context }: ThinkInput): ThinkFact[] {
  return context === null || context.trim() === '' ? [] : [{ text: context, eventDate: null }];
}

function isAboutAgent(query: string): boolean {
  return asksAboutSelf.test(query) && !asksAboutOthers.test(query);
}

/** The sentences of the background, for a question such as "Where do you live?". */
function backgroundFacts({ query, agent: { background } }: ThinkInput): ThinkFact[] {
  const asked = query.replace(address, ' ').trim();
  if (!asksWhoItIs.test(asked) || asksAboutOthers.test(asked)) return [];
  return [...splitSentences(background)].map(({ start, end }) => ({
    text: background.slice(start, end),
    eventDate: null,
  }));
}

/** A question only about the agent itself is answered with its background, or with its newest experiences. */
function aboutSelf({ query, agent, agentFacts, now }: ThinkInput): string {
  const background = agent.background.trim();
  if (asksWhatWasDone.test(query) && agentFacts.length > 0) {
    return phrase({ known: agentFacts.slice(0, maxFacts), held: [], isSure: true, now });
  }
  return background === '' ? unknown : background;
}

/** For a question in other words than the memory. What is of somebody else or of another time is no answer. */
function closest(facts: readonly ThinkFact[], asked: AskedQuestion, encoder: LexicalEncoder): string {
  const statements = facts.filter(({ text, score = 0 }) => score >= closestFrom && !question.test(text));
  const [first] = statements.toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0));
  if (!first || isParticular(asked, encoder)) return unknown;
  return `I am not sure. The closest that I remember: ${quotation(first, asked.now)}`;
}

type Scored = ReturnType<typeof relevantFacts>[number];

function best(facts: readonly Scored[], max: number): Scored[] {
  const sorted = facts.toSorted((left, right) => right.score - left.score);
  const least = shareOfBest * (sorted[0]?.score ?? 0);
  return sorted.filter(({ score }) => score >= least).slice(0, max);
}

/** Without questions, if there is anything else: that somebody has asked the same is no answer. */
function withoutQuestions(facts: readonly Scored[]): readonly Scored[] {
  const statements = facts.filter(({ fact }) => !question.test(fact.text));
  return statements.length > 0 ? statements : facts;
}

function asFact({ fact }: Scored): ThinkFact {
  return fact;
}

interface Quotable {
  readonly known: readonly ThinkFact[];
  readonly held: readonly ThinkFact[];
  readonly isSure: boolean;
  readonly now: string;
}

function phrase({ known, held, isSure, now }: Quotable): string {
  const parts: string[] = [];
  const quote = (fact: ThinkFact) => quotation(fact, now);
  if (known.length > 0) parts.push(`I remember: ${known.map(quote).join(' ')}`);
  if (held.length > 0) parts.push(`My opinion so far: ${held.map(quote).join(' ')}`);
  if (parts.length === 0) return unknown;
  const text = parts.join(' ');
  return isSure ? text : `I am not sure, but ${known.length > 0 ? text : `my${text.slice(2)}`}`;
}

function quotation({ text, eventDate }: ThinkFact, now: string): string {
  const line = text.toWellFormed().replace(/\s+/g, ' ').trim();
  const short = line.length > longestFact ? `${line.slice(0, longestFact).toWellFormed().trimEnd()}...` : line;
  const date = dayOfEvent(eventDate, now);
  const day = date && dayText(date);
  return day === undefined || short.includes(day) ? inQuotes(short) : `${inQuotes(short)} (${day})`;
}

/** The marks of a quotation. Of the last ones, single ones stand in a text that has all of them. */
const quotationMarks = ['""', '“”', '«»'] as const;

/** A text in marks that it does not have itself, so that it ends where the next closing mark is. */
function inQuotes(text: string): string {
  const marks = quotationMarks.find(([open = '', close = '']) => !text.includes(open) && !text.includes(close));
  if (marks === undefined) return `«${text.replaceAll('«', '‹').replaceAll('»', '›')}»`;
  return `${marks[0]}${text}${marks[1]}`;
}
