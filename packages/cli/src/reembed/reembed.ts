import { type MemoryEvent, memoryEvents, memoryStream } from '@mneme/contracts';
import { connectModelStore, type ModelStore, recordedOf } from '@mneme/embedding-model';
import { connectEventStore, type EventStore } from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import type { NatsConnection } from '@nats-io/nats-core';
import { type FillDeps, type Filled, fillVectors } from './fill-vectors.ts';

export interface ReembedDeps {
  readonly connection: NatsConnection;
  readonly embeddings: EmbeddingModel;
  /** Whether services run, which build the read model with the new vectors and then choose the model. */
  readonly isRunning: boolean;
  /** Is told how far the log has been read, and how far it goes. */
  readonly onProgress: (sequence: number, head: number) => void;
  /** Resolves when the services have chosen the model. */
  readonly untilChosen: (models: ModelStore) => Promise<void>;
}

/** What was done. */
export type Reembedded = Omit<Filled, 'to'>;

/** When so few messages are left, their vectors may follow them in the log. */
const fewMessages = 200;
/** After this many rounds, what is stored faster than it is embedded is left to the services. */
const maxRounds = 20;

/**
 * Adds the vectors of another embedding model to the log, beside those that are there, and makes it the model of the log.
 * Services that run go on with the former model meanwhile, and choose the new one when their read model has its vectors.
 * What an earlier run has added stays, so that it can be ended at any time and goes on from there.
 * @throws ModelError when the model cannot embed
 */
export async function reembed(deps: ReembedDeps): Promise<Reembedded> {
  const { connection, embeddings, isRunning } = deps;
  const models = connectModelStore(connection, 'reembed');
  const log = { connection, stream: memoryStream.name, source: 'reembed' };
  const store = connectEventStore({ ...log, catalog: memoryEvents });
  const filled = await fillAll(deps, models, store);
  const change = recordedOf(embeddings);
  const { current } = await models.load();
  if (!isRunning || current === embeddings.name || current === undefined) {
    await models.execute({ type: 'ReplaceEmbeddingModel', ...change });
  } else {
    await models.execute({ type: 'BeginChange', ...change, through: filled.to });
    await deps.untilChosen(models);
  }
  return filled;
}

/** Reads the log until its end is near. Vectors of later events are added by the services while they bring it over. */
async function fillAll(
  { connection, embeddings, isRunning, onProgress }: ReembedDeps,
  models: ModelStore,
  store: EventStore<MemoryEvent>,
): Promise<Filled> {
  const first = await store.head();
  const deps: FillDeps = {
    connection,
    models,
    store,
    embeddings,
    onProgress: (sequence) => sequence <= first && onProgress(sequence, first),
  };
  let all: Filled = { to: 0, events: 0, texts: 0, unreadable: [] };
  for (let round = 1; ; round += 1) {
    const head = round === 1 ? first : await store.head();
    const { to, events, texts, unreadable } = await fillVectors(deps, all.to + 1, head);
    all = {
      to,
      events: all.events + events,
      texts: all.texts + texts,
      unreadable: [...all.unreadable, ...unreadable],
    };
    if (!isRunning || round === maxRounds || (await store.head()) - to <= fewMessages) return all;
  }
}
