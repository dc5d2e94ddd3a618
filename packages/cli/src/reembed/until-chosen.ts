import { setTimeout as pause } from 'node:timers/promises';
import { readModelEndpoints } from '@mneme/contracts';
import type { ModelStore } from '@mneme/embedding-model';
import type { Client } from '@mneme/service-kit';
import { v7 as uuidv7 } from 'uuid';

interface UntilChosenDeps {
  readonly client: Client;
  readonly embeddingModel: string;
  /** Is told how far the read model is, and how far the log goes. */
  readonly onProgress: (position: number, head: number) => void;
  /** Is told once when the services seem not to be able to go on. */
  readonly onStuck: () => void;
}

const lookEveryMs = 500;
const statusTimeoutMs = 5_000;
/** If no version is built for this time, something is wrong, in milliseconds. */
const stuckMs = 60_000;

/**
 * Waits until the services answer with the read model of the new embedding model.
 * @throws Error when the change is given up meanwhile
 */
export async function untilChosen(deps: UntilChosenDeps, models: ModelStore): Promise<void> {
  let seenAt = performance.now();
  let isToldStuck = false;
  for (;;) {
    const { current, next } = await models.load();
    if (current === deps.embeddingModel) return;
    if (next !== deps.embeddingModel) throw new Error('The change was given up by another run of this command.');
    if (await showProgress(deps)) seenAt = performance.now();
    if (performance.now() - seenAt > stuckMs && !isToldStuck) {
      isToldStuck = true;
      deps.onStuck();
    }
    await pause(lookEveryMs);
  }
}

/** @returns whether a version is being built */
async function showProgress({ client, onProgress }: UntilChosenDeps): Promise<boolean> {
  const options = { correlationId: uuidv7(), timeoutMs: statusTimeoutMs };
  const status = await client
    .request(readModelEndpoints('memory-query').status, {}, options)
    .catch(() => ({ readModels: [] }));
  const built = status.readModels.flatMap(({ versions }) => versions).find(({ state }) => state === 'rebuilding');
  if (built) onProgress(built.position, built.head);
  return built !== undefined;
}
