import { LRUCache } from 'lru-cache';

/** The normalized name of an entity, for comparison. */
export interface EntityName {
  /** Names with the same key always denote the same entity. */
  readonly key: string;
  readonly tokens: readonly string[];
  /** Whether a title such as "Dr." preceded it; a single name after a title is a last name. */
  readonly hasTitle: boolean;
}

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'professor', 'sir', 'madam', 'mister']);
const articles = new Set(['the', 'a', 'an']);
const legalForms = new Set([
  'inc',
  'ltd',
  'llc',
  'corp',
  'gmbh',
  'ag',
  'plc',
  'co',
  'company',
  'corporation',
  'limited',
]);

/** Each new unit is compared with the names of all entities of its agent, mostly the same ones as before. */
const recent = new LRUCache<string, EntityName>({
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: (_name, text) => text.length + 1,
});

/** Ignores case, spacing, punctuation at the edges, a possessive, an article, a title and a company's legal form. */
export function entityName(name: string): EntityName {
  const known = recent.get(name);
  if (known) return known;
  const compared = read(name);
  recent.set(name, compared);
  return compared;
}

function read(name: string): EntityName {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .map(bare)
    .filter((word) => word !== '');
  const untitled = dropFirst(words, titles);
  const named = dropLast(dropFirst(untitled, articles), legalForms);
  return { key: named.join(' '), tokens: named, hasTitle: untitled.length < words.length };
}

/** Whether a name contains a number, as rooms, flights and versions do. Such names match only when they are equal. */
export function hasNumber({ tokens }: EntityName): boolean {
  return tokens.some((token) => /\p{N}/u.test(token));
}

function bare(word: string): string {
  const whole = word.replace(/[’']s$/u, '');
  const parts = [...whole.matchAll(/[\p{L}\p{N}+#]+/gu)];
  const last = parts.at(-1);
  return last === undefined ? '' : whole.slice(parts[0]?.index, last.index + last[0].length);
}

function dropFirst(words: readonly string[], dropped: ReadonlySet<string>): readonly string[] {
  const [first] = words;
  return words.length > 1 && first !== undefined && dropped.has(first) ? words.slice(1) : words;
}

function dropLast(words: readonly string[], dropped: ReadonlySet<string>): readonly string[] {
  const last = words.at(-1);
  return words.length > 1 && last !== undefined && dropped.has(last) ? words.slice(0, -1) : words;
}
