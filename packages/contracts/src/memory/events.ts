import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { entitySchema, factTypeSchema, personalitySchema } from './schemas.ts';

const agentRef = { space: z.string(), agentId: z.string() };
const operationRef = { ...agentRef, operationId: z.string() };
/** An event larger than one message is split into parts, which are appended as one atomic batch. */
const partOf = { part: z.int().min(0), parts: z.int().min(1) };
const confidence = z.number().min(0).max(1);
/** Little-endian float32 values in base64, as many as the embedding model has dimensions. */
const vector = z.string();
/** The version of the model's prompt. */
const prompted = { promptVersion: z.string() };

export const submittedItemSchema = z.object({
  content: z.string(),
  /** ISO 8601 with the offset that the caller gave; null: the time of the event. */
  eventDate: z.string().nullable(),
  context: z.string().nullable(),
});
export type SubmittedItem = z.infer<typeof submittedItemSchema>;

/** A caller submitted a batch of items. Recorded by the gateway before any processing. */
export const batchSubmitted = defineEvent({
  type: 'BatchSubmitted',
  version: 1,
  schema: z.object({
    ...operationRef,
    ...partOf,
    documentId: z.string().nullable(),
    /** Of the whole batch, not of this part. */
    itemsCount: z.int().min(0),
    items: z.array(submittedItemSchema),
  }),
});

/** Processing of a batch started; the first attempt is 1. */
export const operationStarted = defineEvent({
  type: 'OperationStarted',
  version: 1,
  schema: z.object({ ...operationRef, attempt: z.int().min(1) }),
});

export const recordedFactSchema = z.object({
  text: z.string(),
  factType: factTypeSchema,
  /** ISO 8601 in UTC with milliseconds. */
  eventDate: z.string(),
  entities: z.array(entitySchema),
  /** The wording of the item, when the fact has another one; searched together with the fact. */
  source: z.string().optional(),
  /** Index in the batch of the item that the fact was extracted from. */
  item: z.int().min(0),
  /** Little-endian float32 values in base64, as many as the embedding model has dimensions. */
  vector: z.string(),
});
export type RecordedFact = z.infer<typeof recordedFactSchema>;

/**
 * The facts of a batch; the last part completes the operation. The context of an item is stored once per part that has
 * facts of it, since an item may yield thousands of facts.
 */
export const factsExtracted = defineEvent({
  type: 'FactsExtracted',
  version: 2,
  schema: z.object({
    ...operationRef,
    ...partOf,
    documentId: z.string().nullable(),
    /** The extractor that found the facts. */
    extractor: z.string(),
    /** Set when the extractor uses a prompt. */
    promptVersion: z.string().optional(),
    embeddingModel: z.string(),
    /** Index of this part's first fact among all facts of the batch. */
    firstFact: z.int().min(0),
    facts: z.array(recordedFactSchema),
    /** Contexts of the items that this part has facts of, by index of the item; items without a context are absent. */
    contexts: z.record(z.string(), z.string()),
  }),
  upcasters: {
    // In version 1 each fact had the context of its item.
    1: (data) => {
      const { facts, ...rest } = data as { facts: readonly { item: number; context: string | null }[] };
      const contexts = facts.flatMap(({ item, context }) => (context === null ? [] : [[item, context]]));
      return {
        ...rest,
        facts: facts.map(({ context: _, ...fact }) => fact),
        contexts: Object.fromEntries(contexts),
      };
    },
  },
});

/** Processing of a batch failed for good; nothing of it is stored. */
export const operationFailed = defineEvent({
  type: 'OperationFailed',
  version: 1,
  schema: z.object({ ...operationRef, message: z.string(), attempts: z.int().min(1) }),
});

/** A pending batch was cancelled before its facts were recorded; nothing of it is stored. */
export const operationCancelled = defineEvent({
  type: 'OperationCancelled',
  version: 1,
  schema: z.object(operationRef),
});

/** A failed batch was removed from the list of operations. */
export const operationDismissed = defineEvent({
  type: 'OperationDismissed',
  version: 1,
  schema: z.object(operationRef),
});

/** A failed batch is to be processed again, as if it had just been submitted. */
export const operationRetried = defineEvent({
  type: 'OperationRetried',
  version: 1,
  schema: z.object(operationRef),
});

export const agentCreated = defineEvent({ type: 'AgentCreated', version: 1, schema: z.object(agentRef) });

export const personalityChanged = defineEvent({
  type: 'PersonalityChanged',
  version: 1,
  schema: z.object({ ...agentRef, personality: personalitySchema }),
});

export const backgroundReplaced = defineEvent({
  type: 'BackgroundReplaced',
  version: 1,
  schema: z.object({ ...agentRef, background: z.string() }),
});

export const unitForgotten = defineEvent({
  type: 'UnitForgotten',
  version: 1,
  schema: z.object({ ...agentRef, unitId: z.string() }),
});

export const documentDeleted = defineEvent({
  type: 'DocumentDeleted',
  version: 1,
  schema: z.object({ ...agentRef, documentId: z.string() }),
});

/**
 * All earlier events of an agent are erased. It contains only the key of the agent, since this event stays in the log
 * when all others are overwritten.
 */
export const agentErased = defineEvent({
  type: 'AgentErased',
  version: 1,
  schema: z.object({ space: z.string(), agentKey: z.string() }),
});

/** An agent answered a question. */
export const questionAnswered = defineEvent({
  type: 'QuestionAnswered',
  version: 1,
  schema: z.object({
    ...agentRef,
    thoughtId: z.string(),
    query: z.string(),
    answer: z.string(),
    /** Ids of the units that the model was given. */
    basedOn: z.array(z.string()),
    thinker: z.string(),
    ...prompted,
  }),
});

export const recordedOpinionSchema = z.object({
  /** In the first person. */
  text: z.string(),
  confidence,
  entities: z.array(entitySchema),
  /** ISO 8601 in UTC with milliseconds. */
  eventDate: z.string(),
  vector,
});
export type RecordedOpinion = z.infer<typeof recordedOpinionSchema>;

/** New opinions in the answer to a question; each becomes a unit. */
export const opinionsFormed = defineEvent({
  type: 'OpinionsFormed',
  version: 1,
  schema: z.object({
    ...agentRef,
    thoughtId: z.string(),
    opinions: z.array(recordedOpinionSchema).min(1),
    former: z.string(),
    ...prompted,
    embeddingModel: z.string(),
  }),
});

/** New facts raised or lowered the confidence of an opinion, or replaced it. */
export const opinionRevised = defineEvent({
  type: 'OpinionRevised',
  version: 2,
  schema: z.object({
    ...agentRef,
    unitId: z.string(),
    verdict: z.enum(['raise', 'lower', 'rewrite']),
    /** The present text. */
    text: z.string(),
    confidence,
    /** When the opinion was formed. ISO 8601 in UTC with milliseconds. */
    eventDate: z.string(),
    /** Null when the text is unchanged. */
    vector: vector.nullable(),
    /** Entities of the new text; null when they are unchanged. */
    entities: z.array(entitySchema).nullable(),
    embeddingModel: z.string(),
    /** The id of the event that brought the facts. */
    because: z.string(),
    former: z.string(),
    ...prompted,
  }),
  upcasters: {
    // In version 1 a rewritten opinion kept its first entities.
    1: (data) => ({ ...(data as object), entities: null }),
  },
});

/** An addition was merged into the background of an agent. */
export const backgroundMerged = defineEvent({
  type: 'BackgroundMerged',
  version: 1,
  schema: z.object({
    ...agentRef,
    mergeId: z.string(),
    addition: z.string(),
    /** The merged background. */
    background: z.string(),
    writer: z.string(),
    ...prompted,
  }),
});

/** All events of the `MEMORY` stream, except those of `embeddingEvents`. */
export const memoryEvents = eventCatalog([
  batchSubmitted,
  operationStarted,
  factsExtracted,
  operationFailed,
  operationCancelled,
  operationDismissed,
  operationRetried,
  agentCreated,
  personalityChanged,
  backgroundReplaced,
  backgroundMerged,
  unitForgotten,
  documentDeleted,
  questionAnswered,
  opinionsFormed,
  opinionRevised,
  agentErased,
]);
export type MemoryEvent = EventOf<typeof memoryEvents>;
/** One event of the memory area, by its type. */
export type MemoryEventOf<T extends MemoryEvent['type']> = Extract<MemoryEvent, { type: T }>;
