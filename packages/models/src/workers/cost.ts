import type { ThinkInput } from '../reasoning-ports.ts';
import type { TextInputs, TextTasks } from './tasks.ts';

/** Up to so many characters a text costs a few milliseconds at most, by whatever task. */
const shortText = 2_000;
/** So many texts or characters are embedded, or compared by their words, in a few milliseconds. */
const fewCharacters = 8_000;
/** Looking up one name that was not seen before takes up to a third of a millisecond. */
const fewCapitals = 24;

const capital = /\p{Lu}/gu;

/** Whether a task surely takes only a few milliseconds: then handing it to a thread costs more than it saves. */
export function isQuick<T extends keyof TextTasks>(task: T, input: TextInputs[T]): boolean {
  return quick[task](input);
}

const quick: { readonly [T in keyof TextTasks]: (input: TextInputs[T]) => boolean } = {
  extract: ({ content }) => hasFewNames(content),
  embed: (texts) => lengthOf(texts) <= fewCharacters,
  think: (input) => lengthOf(textsOf(input)) <= fewCharacters,
  formOpinions: ({ answer, knownOpinions }) => hasFewNames(answer) && lengthOf(knownOpinions) <= fewCharacters,
  reviseOpinion: ({ opinion, facts }) => lengthOf([opinion.text, ...facts]) <= fewCharacters,
  mergeBackground: ({ current, addition }) => lengthOf([current, addition]) <= fewCharacters,
  inferTraits: (background) => background.length <= fewCharacters,
  chunks: (text) => text.length <= fewCharacters,
};

function hasFewNames(text: string): boolean {
  return text.length <= shortText && (text.match(capital)?.length ?? 0) <= fewCapitals;
}

function textsOf({ query, context, agent, worldFacts, agentFacts, opinions }: ThinkInput): string[] {
  const facts = [...worldFacts, ...agentFacts, ...opinions].map(({ text }) => text);
  return [query, context ?? '', agent.background, ...facts];
}

/** Characters of all texts; an empty one costs something too. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}

/** How many characters a task reads; that is what its time is bound by. */
export function sizeOf(input: unknown): number {
  if (typeof input === 'string') return input.length;
  if (typeof input !== 'object' || input === null) return 1;
  return Object.values(input).reduce((sum: number, each) => sum + sizeOf(each), 1);
}
