import { createEntityFinder } from '../extraction/entity-finder.ts';
import { factTypeOf, isQuotedLine } from '../extraction/fact-type.ts';
import { createLexicon } from '../extraction/lexicon.ts';
import { splitSentences } from '../extraction/sentences.ts';
import type { FormedOpinion, OpinionFormer } from '../reasoning-ports.ts';
import { replaceQuotes } from '../text/quotes.ts';
import { createKnownTexts } from './known-texts.ts';
import { createRevision } from './rule-revision.ts';

const firstPerson = /\b(?:I|my|My)\b/;
const quotes = { longest: 2_000, overLines: true };
const longestOpinion = 500;
const maxOpinions = 10;
/** Confidence by the words of a sentence; the first match counts. */
const certainties: readonly (readonly [RegExp, number])[] = [
  [/(?:\bnot|n['’]t)(?: [a-z]+){0,2} (?:convinced|certain|sure)\b/i, 0.5],
  [
    /\b(?:convinced|strongly|firmly|definitely|no doubt)\b|(?:\bam|['’]m|\bfeel)(?: (?:[a-z]+ly|quite|very))? (?:certain|sure)\b/i,
    0.9,
  ],
  [/\b(?:doubt|suspect|maybe|perhaps|might)\b/i, 0.5],
  [/\b(?:believe|prefer|in my (?:opinion|view))\b/i, 0.7],
];
const usualCertainty = 0.6;

/**
 * Forms opinions without a model: only from sentences outside of quotations that mark themselves as opinions ("I think",
 * "I believe", "I prefer"). Revises by shared words and negations, in small steps, and never rewrites.
 */
export function createRuleOpinions(): OpinionFormer {
  const lexicon = createLexicon();
  const revise = createRevision();
  return {
    name: 'mneme-rules-v2',
    promptVersion: 'none',
    form: async ({ answer, knownOpinions, agent }, signal) => {
      signal?.throwIfAborted();
      // "Who are you?" is answered with the background.
      const known = createKnownTexts([...knownOpinions, ...beliefsIn(agent.background)], 'rewording', lexicon);
      const entities = createEntityFinder(lexicon);
      return beliefsIn(answer)
        .filter((text) => known.add(text) === undefined)
        .slice(0, maxOpinions)
        .map((text): FormedOpinion => ({ text, confidence: certaintyOf(text), entities: entities.find(text, []) }));
    },
    revise: async (input, signal) => {
      signal?.throwIfAborted();
      return revise(input);
    },
  };
}

/** Quotations are left or blanked out: what an answer quotes from memory is not a new opinion. */
function beliefsIn(answer: string): string[] {
  const unquoted = answer
    .toWellFormed()
    .split('\n')
    .filter((line) => !isQuotedLine(line));
  const own = replaceQuotes(unquoted.join('\n'), quotes, ({ length }) => `"${' '.repeat(Math.max(0, length - 2))}"`);
  return [...splitSentences(own)]
    .map(({ start, end }) => own.slice(start, end).trim())
    .filter((text) => text.length <= longestOpinion && !text.endsWith('?') && firstPerson.test(text))
    .filter((text) => !/"\s*"/.test(text) && factTypeOf(text, undefined) === 'opinion');
}

function certaintyOf(text: string): number {
  return certainties.find(([pattern]) => pattern.test(text))?.[1] ?? usualCertainty;
}
