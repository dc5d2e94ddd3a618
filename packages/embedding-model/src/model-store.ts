import { type EmbeddingEvent, embeddingEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, execute, newestStore } from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import type { NatsConnection } from '@nats-io/nats-core';
import { type EmbeddingModelCommand, type EmbeddingModels, embeddingModelDecider } from './decider.ts';

/** The embedding models of the log, as the log has them. */
export interface ModelStore {
  load(): Promise<EmbeddingModels>;
  /** @throws EmbeddingModelMismatchError when a service chooses another model than that of the log */
  execute(command: EmbeddingModelCommand): Promise<EmbeddingModels>;
}

/** What the log records of a model. The names of built-in models stand for one length. */
export function recordedOf({ name, dimensions, isServed }: EmbeddingModel) {
  return { embeddingModel: name, ...(isServed && { dimensions }) };
}

/** @param source the service or command, recorded with what it decides */
export function connectModelStore(connection: NatsConnection, source: string): ModelStore {
  const log = { connection, stream: memoryStream.name, source, catalog: embeddingEvents };
  const store = newestStore(connectEventStore<EmbeddingEvent>(log));
  const subject = memorySubjects.embeddingModel;
  const { evolve, initialState } = embeddingModelDecider;
  return {
    load: async () => (await store.fold(subject, evolve, initialState)).state,
    execute: async (command) => {
      const { state } = await execute(store, embeddingModelDecider, subject, command, { correlationId: source });
      return state;
    },
  };
}
