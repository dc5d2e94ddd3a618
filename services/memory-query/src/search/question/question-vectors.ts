import { type EmbeddingModel, embedInTime } from '@mneme/models';
import type { Slot } from '@mneme/workers/fair-limiter';
import { withoutNames } from './question.ts';

/** A question as vectors of length 1. */
export interface QuestionVectors {
  /** The middle between the whole question and the same without its names. */
  readonly balanced: readonly number[];
  readonly whole: readonly number[];
}

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of the read that embeds; it is left while a server does it. */
  readonly slot?: Slot | undefined;
}

/**
 * Embeds a question to search with. Every line of a conversation is similar to a question with the names of those who talk,
 * which hides what is asked for; so names count half, and are found as words.
 */
export async function embedQuestion(
  embeddings: EmbeddingModel,
  query: string,
  { signal, slot }: EmbedOptions = {},
): Promise<QuestionVectors> {
  const nameless = withoutNames(query);
  const texts = nameless === '' || nameless === query ? [query] : [query, nameless];
  const embedding = () => embedInTime(embeddings, texts, signal);
  const [first, second] = await (embeddings.isServed && slot ? slot.leave(embedding) : embedding());
  if (!first) throw new Error('The embedding model gave no vector for the question');
  const whole = Array.from(first);
  return { whole, balanced: second ? middle(whole, second) : whole };
}

function middle(one: readonly number[], other: Float32Array): number[] {
  const sum = one.map((value, index) => value + (other[index] ?? 0));
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
