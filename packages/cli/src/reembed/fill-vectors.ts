import {
  type AgentRef,
  embeddedIn,
  embeddedTypes,
  isOfLength,
  type MemoryEvent,
  memoryEvents,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import {
  areLate,
  type EmbeddingModels,
  embedAll,
  isReworded,
  type ModelStore,
  vectorsDecider,
} from '@mneme/embedding-model';
import {
  decodeEvent,
  type EventStore,
  erasureGuard,
  execute,
  maxEventBytes,
  openEraser,
  openLog,
  type Recorded,
  readUpTo,
  type StoredMessage,
  typeOf,
  UnreadableEventError,
} from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import type { NatsConnection } from '@nats-io/nats-core';

export interface FillDeps {
  readonly connection: NatsConnection;
  readonly models: ModelStore;
  readonly store: EventStore<MemoryEvent>;
  readonly embeddings: EmbeddingModel;
  /** Is told how far the log has been read. */
  readonly onProgress: (sequence: number) => void;
}

/** What was done. */
export interface Filled {
  /** The sequence up to which every event has vectors. */
  readonly to: number;
  readonly events: number;
  readonly texts: number;
  /** The events that were left out, as others of their agents are processed without them. */
  readonly unreadable: readonly UnreadableEventError[];
}

type Stored = Recorded<MemoryEvent>;

interface Missing {
  readonly subject: string;
  readonly event: Stored;
  readonly texts: readonly { readonly text: string }[];
}

class AgentErasedError extends Error {}

/** About how many texts are embedded before their vectors are appended: a kill costs as many. */
const textsAtOnce = 256;
const context = { correlationId: 'reembed' };

/**
 * Appends the vectors of a model for all events from one sequence to another that have none. What an earlier run has added
 * stays, and what cannot be read is left out.
 * @throws ModelError when the model cannot embed
 */
export async function fillVectors(deps: FillDeps, from: number, to: number): Promise<Filled> {
  let filled: Filled = { to: from - 1, events: 0, texts: 0, unreadable: [] };
  for await (const { messages, last } of readLog(deps.connection, from, to)) {
    const state = await deps.models.load();
    const found = await Promise.all(messages.map((message) => lacking(deps, state, message).catch(asUnreadable)));
    const missing = found.flatMap((each) => (each instanceof UnreadableEventError ? [] : each));
    const unreadable = found.filter((each) => each instanceof UnreadableEventError);
    for (const some of inChunks(missing)) {
      await embed(deps, state, some);
      deps.onProgress(some.at(-1)?.event.position.sequence ?? 0);
    }
    const texts = missing.reduce((sum, each) => sum + each.texts.length, 0);
    filled = {
      to: last,
      events: filled.events + missing.length,
      texts: filled.texts + texts,
      unreadable: [...filled.unreadable, ...unreadable],
    };
    deps.onProgress(Math.min(last, to));
  }
  return filled;
}

function asUnreadable(error: unknown): UnreadableEventError {
  if (error instanceof UnreadableEventError) return error;
  throw error;
}

/** The messages of events that hold vectors, page by page. */
async function* readLog(
  connection: NatsConnection,
  from: number,
  to: number,
): AsyncGenerator<{ messages: readonly StoredMessage[]; last: number }> {
  const [subject] = memoryStream.subjects;
  for await (const messages of readUpTo(openLog(connection, memoryStream.name), { subject, from, upTo: to })) {
    const embedded = messages.filter((message) => embeddedTypes.some((type) => type === typeOf(message)));
    yield { messages: embedded, last: messages.at(-1)?.sequence ?? to };
  }
}

/**
 * What of an event has no vectors of the model yet.
 * @throws UnreadableEventError
 */
async function lacking(
  { store, embeddings }: FillDeps,
  state: EmbeddingModels,
  message: StoredMessage,
): Promise<Missing[]> {
  const event: Stored = decodeEvent(memoryEvents, message);
  const embedded = embeddedIn(event);
  if (!embedded || embedded.texts.length === 0) return [];
  const isUsable = ({ vector }: { readonly vector: string }) => isOfLength(vector, embeddings.dimensions);
  if (embedded.embeddingModel === embeddings.name && embedded.texts.every(isUsable)) return [];
  const { sequence } = event.position;
  const subject = memorySubjects.vectors(event.data as AgentRef, embeddings.name, sequence);
  const { revision } = await store.load(subject);
  if (revision > 0) return [];
  if (areLate(state, embeddings.name, sequence) && (await isReworded(store, event))) return [];
  return [{ subject, event, texts: embedded.texts }];
}

function* inChunks(missing: readonly Missing[]): Generator<readonly Missing[]> {
  let some: Missing[] = [];
  let texts = 0;
  for (const each of missing) {
    some.push(each);
    texts += each.texts.length;
    if (texts < textsAtOnce) continue;
    yield some;
    [some, texts] = [[], 0];
  }
  if (some.length > 0) yield some;
}

async function embed(
  { connection, store, embeddings }: FillDeps,
  state: EmbeddingModels,
  missing: readonly Missing[],
): Promise<void> {
  const eraser = openEraser(connection, memoryStream.name);
  const texts = missing.flatMap((each) => each.texts);
  const vectors = await embedAll(embeddings, texts, { urgency: 'background' });
  let next = 0;
  for (const { subject, event, texts: own } of missing) {
    const part = vectors.slice(next, next + own.length);
    next += own.length;
    // Facts that were stored before they were embedded get the vectors of their own model where these stand.
    const isOwn = embeddedIn(event)?.embeddingModel === embeddings.name;
    const command = {
      type: 'AddVectors',
      event,
      embeddingModel: embeddings.name,
      embed: async () => part,
      areLate: isOwn || areLate(state, embeddings.name, event.position.sequence),
      maxEventBytes: maxEventBytes(connection),
    } as const;
    // The agent may be erased while its texts are embedded, and nothing must follow its erasure.
    const guarded = erasureGuard(
      { store, eraser },
      {
        subject: memorySubjects.agent(event.data as AgentRef),
        type: 'AgentErased',
        readAt: event.position.sequence,
        refusal: () => new AgentErasedError(),
      },
    );
    try {
      await execute(guarded, vectorsDecider, subject, command, context, { history: 'none' });
    } catch (error) {
      if (!(error instanceof AgentErasedError)) throw error;
    }
  }
}
