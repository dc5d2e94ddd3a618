import type { Entity, EntityType } from '../ports.ts';
import { stopWords } from '../text/stop-words.ts';
import { entityTypeOf } from './entity-type.ts';
import { knownNames, notNames, wordsLikeNames } from './entity-words.ts';
import type { LexiconEntry } from './lexicon.ts';
import { type NameSpan, nameSpans } from './name-spans.ts';
import type { Speaker } from './speaker.ts';

/** Finds the names in the facts of one item, in order: what stood within a sentence is known at the start of a later one. */
export interface EntityFinder {
  find(text: string, speakers: readonly Speaker[]): Entity[];
}

/** So many names of one item are looked up; beyond, only what the words themselves say counts. A look-up takes a third of a millisecond. */
const maxLookUps = 5_000;
const maxEntities = 32;
const notLookedUp: LexiconEntry = { type: undefined, isPlainWord: true };

export function createEntityFinder(lexicon: (name: string) => LexiconEntry): EntityFinder {
  const seenInside = new Set<string>();
  let lookUps = 0;
  const lookUp = (name: string) => {
    lookUps += 1;
    return lookUps > maxLookUps ? notLookedUp : lexicon(name);
  };
  return {
    find: (text, speakers) => {
      const found = createEntityList();
      for (const { name, isNamed } of speakers) if (isNamed) found.add(name, 'PERSON');
      const spans = nameSpans(text);
      const isTitled = isMostlyCapitals(text, spans);
      for (const span of spans) {
        const name = nameIn(span, lookUp);
        if (name === undefined) continue;
        if (!name.isInitial && !isTitled) seenInside.add(name.text);
        const type = entityTypeOf(name.text, name.before, lookUp);
        if (isSure(name, type, seenInside)) found.add(name.text, type ?? 'OTHER');
      }
      return found.entities();
    },
  };
}

function createEntityList() {
  const byName = new Map<string, Entity>();
  return {
    add: (name: string, type: EntityType) => {
      const key = name.toLowerCase();
      if (byName.size < maxEntities && !byName.has(key)) byName.set(key, { name, type });
    },
    entities: () => [...byName.values()],
  };
}

interface Name {
  readonly text: string;
  readonly isInitial: boolean;
  readonly before: string;
}

/** The name in a span, without the words around it that are none: `Hey Anna's` is `Anna`. */
function nameIn({ name, isInitial, before }: NameSpan, lookUp: (name: string) => LexiconEntry): Name | undefined {
  const words = name.split(' ');
  while (words.length > 0 && isNoName(words[0] ?? '')) words.shift();
  while (words.length > 0 && isNoName(words.at(-1) ?? '')) words.pop();
  if (isInitial && words.length > 1 && words.length === name.split(' ').length && lookUp(words[0] ?? '').isPlainWord)
    words.shift();
  const text = words.join(' ').replace(/['’]s$/, '');
  if (!/\p{Lu}/u.test(text) || text.length < 2 || isShout(text, lookUp)) return undefined;
  const isFirst = isInitial && name.startsWith(text);
  return { text, isInitial: isFirst, before: name.startsWith(text) ? before : '' };
}

function isNoName(word: string): boolean {
  const bare = word.toLowerCase().replaceAll('’', "'").replace(/[.]$/, '');
  const stem = bare.replace(/'s$/, '');
  if (titles.has(word)) return false;
  return (
    [bare, stem].some((each) => notNames.has(each) || (stopWords.has(each) && each !== 'us')) || /^['’]/.test(word)
  );
}

const titles: ReadonlySet<string> = new Set([
  'Mr',
  'Mrs',
  'Ms',
  'Dr',
  'Prof',
  'Mr.',
  'Mrs.',
  'Ms.',
  'Dr.',
  'Prof.',
  'St.',
  'Mt.',
  'US',
]);

/** A word in capitals is an abbreviation when it is short and no plain word: `NASA`, not `LOVE`. */
function isShout(text: string, lookUp: (name: string) => LexiconEntry): boolean {
  if (!/^\p{Lu}{2,}$/u.test(text) || knownNames.has(text.toLowerCase())) return false;
  return text.length > 6 || lookUp(text.toLowerCase()).isPlainWord;
}

/** Whether many words of a text have capitals, as in a heading or in German: there they say nothing. */
function isMostlyCapitals(text: string, spans: readonly NameSpan[]): boolean {
  const words = text.split(/\s+/).length;
  const inNames = spans.reduce((sum, { name, isInitial }) => sum + name.split(' ').length - (isInitial ? 1 : 0), 0);
  return words >= 5 && inNames > words * 0.4;
}

/** The capital of a sentence's first word proves nothing; a known name does, unless it is a common word too. */
function isSure(name: Name, type: EntityType | undefined, seenInside: ReadonlySet<string>): boolean {
  if (seenInside.has(name.text)) return true;
  return type !== undefined && !(name.isInitial && wordsLikeNames.has(name.text.toLowerCase()));
}
