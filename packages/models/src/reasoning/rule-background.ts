import { createLexicon, type LexiconEntry } from '../extraction/lexicon.ts';
import { type Span, splitSentences } from '../extraction/sentences.ts';
import type { BackgroundWriter } from '../reasoning-ports.ts';
import { attributesOf } from './attribute.ts';
import { toFirstPerson } from './first-person.ts';
import { createKnownTexts } from './known-texts.ts';
import { looseAttributesOf } from './loose-attribute.ts';
import { ownClauses, withoutClauses } from './own-clauses.ts';
import { readTraits } from './traits.ts';

/**
 * Merges backgrounds without a model: a new clause about the same attribute (name, age, job, home, a thing liked) replaces
 * the old one, a new sentence in nearly the same words the old sentence, and a repeated one is dropped. Traits come from
 * lists of words. Conflicts in other words are not detected.
 */
export function createRuleBackground(): BackgroundWriter {
  const lexicon = createLexicon();
  return {
    name: 'mneme-rules-v2',
    promptVersion: 'none',
    merge: async ({ current, addition }, signal) => {
      signal?.throwIfAborted();
      return merge(sentencesOf(current), sentencesOf(addition), lexicon).join(' ');
    },
    inferTraits: async (background, signal) => {
      signal?.throwIfAborted();
      return readTraits(background);
    },
  };
}

type Lexicon = (name: string) => LexiconEntry;

function sentencesOf(text: string): string[] {
  const whole = text.toWellFormed();
  const sentences: Span[] = [];
  for (const { start, end } of splitSentences(whole)) {
    const last = sentences.at(-1);
    // A very long sentence comes in pieces.
    if (last && !isEnd(whole.slice(last.start, start))) sentences[sentences.length - 1] = { ...last, end };
    else sentences.push({ start, end });
  }
  return toFirstPerson(sentences.map(({ start, end }) => whole.slice(start, end).trim())).map(withEnd);
}

function isEnd(sentence: string): boolean {
  const text = sentence.trimEnd();
  return sentence.slice(text.length).includes('\n') || /\p{Sentence_Terminal}["'’”)\]]{0,9}$/u.test(text);
}

/** A longer sentence is kept or added as it is, in characters. */
const longestRead = 1_000;

function clausesOf(sentence: string): string[] {
  return sentence.length > longestRead ? [] : ownClauses(sentence);
}

function withEnd(sentence: string): string {
  return /[\p{Sentence_Terminal}\p{Po}"'’”)\]]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function merge(old: readonly string[], added: readonly string[], lexicon: Lexicon): string[] {
  const last = new Map<string, number>();
  for (const [index, sentence] of added.entries())
    for (const attribute of clausesOf(sentence).flatMap(attributesOf)) last.set(attribute, index);
  const loose = (clause: string) => looseAttributesOf(clause, lexicon);
  const stated = new Set([...last.keys(), ...added.flatMap(clausesOf).flatMap((clause) => loose(clause).states)]);
  const isPlace = (name: string) => lexicon(name).type === 'PLACE';
  const without = (sentence: string, isOutdated: (clause: string) => boolean) =>
    sentence.length > longestRead ? [sentence] : withoutClauses(sentence, isOutdated, isPlace).map(withEnd);
  const isReplaced = (clause: string) =>
    [...attributesOf(clause), ...loose(clause).yieldsTo].some((attribute) => stated.has(attribute));
  // Within the addition too, the later of two clauses about one attribute counts.
  const lasting = (sentence: string, index: number) => {
    const isOutdated = (clause: string) =>
      attributesOf(clause).some((attribute) => (last.get(attribute) ?? index) > index);
    return without(sentence, isOutdated);
  };
  return withoutRepetitions(
    old.flatMap((sentence) => without(sentence, isReplaced)),
    added.flatMap(lasting),
    lexicon,
  );
}

/** The old sentences and the new ones; a new one stands in the place of an old one in nearly the same words. */
function withoutRepetitions(old: readonly string[], added: readonly string[], lexicon: Lexicon): string[] {
  const known = createKnownTexts(old, 'update', lexicon);
  const newWordings = new Map<string, string>();
  const others = added.filter((sentence) => {
    const found = known.add(sentence);
    if (found !== undefined && !found.isExact) newWordings.set(found.text, sentence);
    return found === undefined;
  });
  return [...old, ...others].map((sentence) => newWordings.get(sentence) ?? sentence);
}
