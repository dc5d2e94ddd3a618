import { withTimeout } from '../client/request-policy.ts';
import type { EmbeddingModel } from '../ports.ts';

/** Less than the 30 s that the caller of a search waits, so that it is told which model did not answer. */
const defaultTimeoutMs = 20_000;

/**
 * Embeds the texts of a question, for which a caller waits.
 * @returns one vector per text
 * @throws ModelError `timeout` when a model on a server takes longer, with all its retries; the reason of the signal
 */
export function embedInTime(
  { name, isServed, embed }: Pick<EmbeddingModel, 'name' | 'isServed' | 'embed'>,
  texts: readonly string[],
  signal: AbortSignal | undefined,
  timeoutMs = defaultTimeoutMs,
): Promise<Float32Array[]> {
  const work = (inner?: AbortSignal) => embed(texts, inner, 'question');
  return isServed ? withTimeout(work, timeoutMs, name, signal) : work(signal);
}
