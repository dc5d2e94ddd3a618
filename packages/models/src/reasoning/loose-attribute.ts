import type { LexiconEntry } from '../extraction/lexicon.ts';
import { mereNameIn } from './own-name.ts';

/** Attributes of which a sentence replaces those that were submitted before it, but none that was submitted with it. */
export interface LooseAttributes {
  readonly states: readonly string[];
  /** What has to be stated later, by any sentence, for this one to be outdated. */
  readonly yieldsTo: readonly string[];
}

const none: LooseAttributes = { states: [], yieldsTo: [] };
/** "My working hours are 9 to 17." */
const ownNumber = /^my ([a-z]+(?: [a-z]+){0,3}?) (?:is|are) (?:now |currently |about |from )?(\d.*)$/i;
/** "I am shy.", "I am not shy anymore." */
const quality =
  /^(?:I am|I['’]m)( not| no longer| never)? (?:(?:very|really|so|too|quite|rather) )?([a-z]+(?:-[a-z]+)?)(?: anymore| any ?(?:more|longer))?[.!;]*$/i;
const isBeside = /\b(?:also|too|as well)\b/i;

/**
 * What a sentence in the first person may say of the agent: that it is called something, if it says "I am Pim" and not "My
 * name is Pim", or a number of something that it has, of which only the same with other numbers is a newer one, or a quality, of
 * which only the opposite is.
 */
export function looseAttributesOf(sentence: string, lexicon: (name: string) => LexiconEntry): LooseAttributes {
  const mere = mereNameIn(sentence, lexicon);
  // An unknown word may be a people or a faith, which replaces no name that was called one.
  if (mere) return { states: mere.isKnown ? ['mere name', 'name'] : ['mere name'], yieldsTo: ['mere name', 'name'] };
  const [, denial, described] = quality.exec(sentence) ?? [];
  if (described !== undefined) return qualityOf(described.toLowerCase(), denial !== undefined);
  const [, thing, value] = ownNumber.exec(sentence) ?? [];
  if (thing === undefined || value === undefined || isBeside.test(sentence)) return none;
  const form = value.replace(/(?<![.!])[.!]+$/, '').replaceAll(/\d+(?:[.,:]\d+)*/g, '0');
  const same = [`my ${thing} ${form}`.toLowerCase()];
  return { states: same, yieldsTo: same };
}

/** The same in other words is no conflict, and keeps its place. */
function qualityOf(word: string, isDenied: boolean): LooseAttributes {
  const [said, opposite] = isDenied ? [`not ${word}`, word] : [word, `not ${word}`];
  return { states: [`quality ${said}`], yieldsTo: [`quality ${opposite}`] };
}
