import type { ThinkInput } from '../reasoning-ports.ts';
import type { TextInputs, TextTasks } from './tasks.ts';

/** Every task takes only a few milliseconds for a text of this length. */
const shortText = 2_000;
/** Embedding or comparing this many characters takes a few milliseconds. */
const fewCharacters = 8_000;
/** Each name may need a look-up, which takes up to 0.3 ms. */
const fewCapitals = 24;

const capital = /\p{Lu}/gu;

/** Whether a task certainly takes only a few milliseconds, so that a thread would cost more than it saves. */
export function isQuick<T extends keyof TextTasks>(task: T, input: TextInputs[T]): boolean {
  return quick[task](input);
}

const quick: { readonly [T in keyof TextTasks]: (input: TextInputs[T]) => boolean } = {
  extract: ({ content }) => hasFewNames(content),
  embed: (texts) => lengthOf(texts) <= fewCharacters,
  think: (input) => lengthOf(textsOf(input)) <= fewCharacters,
  formOpinions: ({ answer, knownOpinions }) => hasFewNames(answer) && lengthOf(knownOpinions) <= fewCharacters,
  reviseOpinion: ({ opinion, facts }) => lengthOf([opinion.text, ...facts.map(({ text }) => text)]) <= fewCharacters,
  mergeBackground: ({ current, addition }) => lengthOf([current, addition]) <= fewCharacters,
  inferTraits: (background) => background.length <= fewCharacters,
  chunks: ({ content }) => content.length <= fewCharacters,
};

function hasFewNames(text: string): boolean {
  return text.length <= shortText && (text.match(capital)?.length ?? 0) <= fewCapitals;
}

function textsOf({ query, context, agent, worldFacts, agentFacts, opinions }: ThinkInput): string[] {
  const facts = [...worldFacts, ...agentFacts, ...opinions].map(({ text }) => text);
  return [query, context ?? '', agent.background, ...facts];
}

/** Characters of all texts, plus one per text. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}

/** Number of characters that a task reads, which bounds its time. */
export function sizeOf(input: unknown): number {
  if (typeof input === 'string') return input.length;
  if (typeof input !== 'object' || input === null) return 1;
  return Object.values(input).reduce((sum: number, each) => sum + sizeOf(each), 1);
}
