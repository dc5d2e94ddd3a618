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
  decodeEvent,
  type EventStore,
  maxEventBytes,
  type Recorded,
  readDirect,
  splitBySize,
  typeOf,
} from '@mneme/event-store';
import { type EmbeddingModel, indexedText } from '@mneme/models';
import type { NatsConnection } from '@nats-io/nats-core';

export interface ReembedDeps {
  readonly connection: NatsConnection;
  readonly embeddings: EmbeddingModel;
  /** Is told how far the log has been read, and how far it goes. */
  readonly onProgress: (sequence: number, head: number) => void;
}

/** What was done. */
export interface Reembedded {
  readonly events: number;
  readonly texts: number;
}

type Stored = Recorded<MemoryEvent>;

/** What is read, and embedded together. */
const page = { limit: 200, maxBytes: 8 * 1024 * 1024, timeoutMs: 10_000 };
const embeddedTypes: readonly (string | undefined)[] = ['FactsExtracted', 'OpinionsFormed', 'OpinionRevised'];
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
  for await (const { events, to } of readLog(deps.connection, head)) {
    const added = await addVectors(deps, store, events);
    done.events += added.events;
    done.texts += added.texts;
    deps.onProgress(Math.min(to, head), head);
  }
  await choose(store, deps.embeddings.name);
  return done;
}

/** The events that hold vectors, from the first one on, page by page. */
async function* readLog(
  connection: NatsConnection,
  head: number,
): AsyncGenerator<{ events: readonly Stored[]; to: number }> {
  const [subject] = memoryStream.subjects;
  for (let from = 1; from <= head; ) {
    const { messages } = await readDirect(connection, { stream: memoryStream.name, subject, from, ...page });
    const last = messages.at(-1);
    if (!last) return;
    const embedded = messages.filter((message) => embeddedTypes.includes(typeOf(message)));
    yield { events: embedded.map((message) => decodeEvent(memoryEvents, message)), to: last.sequence };
    from = last.sequence + 1;
  }
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
