import {
  type AgentRef,
  type EmbeddingEvent,
  embeddedIn,
  embeddingEvents,
  type MemoryEvent,
  memoryEvents,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import {
  ConflictError,
  connectEventStore,
  type EventStore,
  maxEventBytes,
  type Projection,
  type Recorded,
  runProjection,
  splitBySize,
} from '@mneme/event-store';
import { type EmbeddingModel, indexedText } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

export interface ReembedDeps {
  readonly connection: NatsConnection;
  readonly embeddings: EmbeddingModel;
  readonly logger: Logger;
  /** Is told how far the log has been read, and how far it goes. */
  readonly onProgress: (sequence: number, head: number) => void;
}

/** What was done. */
export interface Reembedded {
  readonly events: number;
  readonly texts: number;
}

type Stored = Recorded<MemoryEvent>;

/** Events that are embedded together. */
const eventsAtOnce = 200;
const context = { correlationId: 'reembed' };

/**
 * Adds the vectors of another embedding model to the log, beside those that are there, and makes it the model of the log.
 * What an earlier run has added stays, so that it can be ended at any time and goes on from there.
 * @throws ModelError when the model cannot embed
 */
export async function reembed(deps: ReembedDeps): Promise<Reembedded> {
  const log = { connection: deps.connection, stream: memoryStream.name, source: 'reembed' };
  const store = connectEventStore({ ...log, catalog: embeddingEvents });
  const head = await store.head();
  const done = { events: 0, texts: 0 };
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const projection = await runProjection({
    ...log,
    catalog: memoryEvents,
    projection: readingAll(async (events, to) => {
      try {
        const added = await addVectors(deps, store, events);
        done.events += added.events;
        done.texts += added.texts;
        deps.onProgress(Math.min(to, head), head);
      } catch (error) {
        reject(error);
        throw error;
      }
    }),
    maxBatch: eventsAtOnce,
    logger: deps.logger,
  });
  try {
    await Promise.race([projection.caughtUp(), failed]);
  } finally {
    await projection.stop();
  }
  await choose(store, deps.embeddings.name);
  return done;
}

/** Reads the log from its first event, each time it is run. */
function readingAll(read: (events: readonly Stored[], to: number) => Promise<void>): Projection<MemoryEvent> {
  return {
    name: 'reembed',
    version: 1,
    types: ['FactsExtracted', 'OpinionsFormed', 'OpinionRevised'],
    readPosition: async () => 0,
    apply: (events, { to }) => read(events, to),
  };
}

async function addVectors(
  { connection, embeddings }: ReembedDeps,
  store: EventStore<EmbeddingEvent>,
  events: readonly Stored[],
): Promise<Reembedded> {
  const missing = (await Promise.all(events.map((event) => lacking(store, event, embeddings.name)))).flat();
  const texts = missing.flatMap((each) => each.texts.map(indexedText));
  if (texts.length === 0) return { events: 0, texts: 0 };
  const vectors = (await embeddings.embed(texts)).map(toBase64);
  let next = 0;
  for (const { subject, sequence, texts: own } of missing) {
    const part = vectors.slice(next, next + own.length);
    next += own.length;
    const added = vectorsAdded(embeddings.name, sequence, part, maxEventBytes(connection));
    await store.append(subject, added, 0, context).catch(ignoreConflict);
  }
  return { events: missing.length, texts: texts.length };
}

/** What of an event has no vectors of the model yet. */
async function lacking(store: EventStore<EmbeddingEvent>, event: Stored, embeddingModel: string) {
  const embedded = embeddedIn(event);
  if (!embedded || embedded.texts.length === 0 || embedded.embeddingModel === embeddingModel) return [];
  const { sequence } = event.position;
  const subject = memorySubjects.vectors(event.data as AgentRef, embeddingModel, sequence);
  const { revision } = await store.load(subject);
  return revision > 0 ? [] : [{ subject, sequence, texts: embedded.texts }];
}

/** As many parts as the size of a message asks for. */
function vectorsAdded(embeddingModel: string, of: number, vectors: readonly string[], maxBytes: number) {
  return splitBySize(vectors, (vector) => vector.length + 3, maxBytes - 1_024).map((part) => {
    return { type: 'VectorsAdded' as const, data: { embeddingModel, of, vectors: part } };
  });
}

/** Another run has added the same. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}

async function choose(store: EventStore<EmbeddingEvent>, embeddingModel: string): Promise<void> {
  const { events, revision } = await store.load(memorySubjects.embeddingModel);
  const chosen = events.at(-1);
  if (chosen?.type === 'EmbeddingModelChosen' && chosen.data.embeddingModel === embeddingModel) return;
  const choice = { type: 'EmbeddingModelChosen', data: { embeddingModel } } as const;
  await store.append(memorySubjects.embeddingModel, [choice], revision, context);
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}
