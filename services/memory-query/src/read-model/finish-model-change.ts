import type { LogEmbeddings } from '@mneme/embedding-model';
import type { Logger } from '@mneme/service-kit';
import { formOf, type MemoryReadModel } from './read-model.ts';

/** How often to check whether the version of the next model answers, in milliseconds. */
const lookEveryMs = 250;

/**
 * Completes a change of the embedding model as soon as this instance answers with the next one. The first instance that does so
 * completes it; if it is killed, another one.
 */
export function finishModelChange(
  readModel: MemoryReadModel,
  embeddings: LogEmbeddings,
  logger: Logger,
): { stop(): void } {
  let isEnding = false;
  const look = async () => {
    const next = embeddings.next();
    if (isEnding || !next || readModel.form !== formOf(next)) return;
    isEnding = true;
    await embeddings
      .endChange(next.name)
      .catch((error: unknown) => logger.warn({ err: error }, 'The change of the embedding model could not be ended'));
    isEnding = false;
  };
  const timer = setInterval(look, lookEveryMs);
  return { stop: () => clearInterval(timer) };
}
