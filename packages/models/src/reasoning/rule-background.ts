import { splitSentences } from '../extraction/sentences.ts';
import type { BackgroundWriter } from '../reasoning-ports.ts';
import { attributeOf } from './attribute.ts';
import { toFirstPerson } from './first-person.ts';
import { createKnownTexts } from './known-texts.ts';
import { readTraits } from './traits.ts';

/**
 * Merges backgrounds without a model, sentence by sentence: a new sentence about the same attribute (name, age, job, home,
 * a thing liked) replaces the old one, and a repeated one is dropped. Traits come from lists of words. Conflicts
 * in other words are not detected.
 */
export function createRuleBackground(): BackgroundWriter {
  return {
    name: 'mneme-rules-v1',
    promptVersion: 'none',
    merge: async ({ current, addition }, signal) => {
      signal?.throwIfAborted();
      return merge(sentencesOf(current), sentencesOf(addition)).join(' ');
    },
    inferTraits: async (background, signal) => {
      signal?.throwIfAborted();
      return readTraits(background);
    },
  };
}

function sentencesOf(text: string): string[] {
  const whole = text.toWellFormed();
  const sentences = [...splitSentences(whole)].map(({ start, end }) => whole.slice(start, end).trim());
  return toFirstPerson(sentences).map(withEnd);
}

function withEnd(sentence: string): string {
  return /[\p{Sentence_Terminal}\p{Po}"'’”)\]]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function merge(old: readonly string[], added: readonly string[]): string[] {
  const replaced = new Set(added.map(attributeOf).filter((attribute) => attribute !== undefined));
  const kept = old.filter((sentence) => {
    const attribute = attributeOf(sentence);
    return attribute === undefined || !replaced.has(attribute);
  });
  const known = createKnownTexts(kept);
  return [...kept, ...withoutReplaced(added).filter((sentence) => known.add(sentence))];
}

/** Within the addition too, the later of two sentences about one attribute counts. */
function withoutReplaced(sentences: readonly string[]): string[] {
  const last = new Map(sentences.map((sentence, index) => [attributeOf(sentence) ?? index, index]));
  return sentences.filter((sentence, index) => last.get(attributeOf(sentence) ?? index) === index);
}
