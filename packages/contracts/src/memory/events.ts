import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { entitySchema, factTypeSchema, personalitySchema } from './schemas.ts';

const agentRef = { space: z.string(), agentId: z.string() };
const operationRef = { ...agentRef, operationId: z.string() };
/** An event larger than one message is cut into parts that are appended as one atomic batch. */
const partOf = { part: z.int().min(0), parts: z.int().min(1) };
const confidence = z.number().min(0).max(1);
/** Little-endian float32 values in base64, as many as the embedding model has dimensions. */
const vector = z.string();
/** Which model did it, and by which version of the prompt. */
const prompted = { promptVersion: z.string() };

export const submittedItemSchema = z.object({
  content: z.string(),
  /** ISO 8601 with the offset that the caller gave; null: the time of the event. */
  eventDate: z.string().nullable(),
  context: z.string().nullable(),
});
export type SubmittedItem = z.infer<typeof submittedItemSchema>;

/** A caller handed in a batch of items; recorded by the gateway before anything is done about it. */
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

/** Work on a batch began; the first attempt is 1. */
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
  /** What the item said, where the fact says it in other words; found by a search beside the fact. */
  source: z.string().optional(),
  /** The place in the batch of the item that the fact was taken from, from 0. */
  item: z.int().min(0),
  /** Little-endian float32 values in base64, as many as the embedding model has dimensions. */
  vector: z.string(),
});
export type RecordedFact = z.infer<typeof recordedFactSchema>;

/**
 * What a batch says; its last part completes the operation. The context of an item stands once in each part that has facts
 * of it, since an item may yield thousands of facts.
 */
export const factsExtracted = defineEvent({
  type: 'FactsExtracted',
  version: 2,
  schema: z.object({
    ...operationRef,
    ...partOf,
    documentId: z.string().nullable(),
    /** Which extractor and which embedding model made this. */
    extractor: z.string(),
    /** Of the prompt, when the extractor has one. */
    promptVersion: z.string().optional(),
    embeddingModel: z.string(),
    /** The place of this part's first fact among all facts of the batch. */
    firstFact: z.int().min(0),
    facts: z.array(recordedFactSchema),
    /** What the caller said about the items that the facts of this part were taken from, by the item's place; not of items without it. */
    contexts: z.record(z.string(), z.string()),
  }),
  upcasters: {
    // Each fact once had the context of its item.
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

/** Work on a batch was given up; nothing of it is stored. */
export const operationFailed = defineEvent({
  type: 'OperationFailed',
  version: 1,
  schema: z.object({ ...operationRef, message: z.string(), attempts: z.int().min(1) }),
});

/** A pending batch was withdrawn before its facts were recorded; nothing of it is stored. */
export const operationCancelled = defineEvent({
  type: 'OperationCancelled',
  version: 1,
  schema: z.object(operationRef),
});

/** A failed batch was taken off the list of operations. */
export const operationDismissed = defineEvent({
  type: 'OperationDismissed',
  version: 1,
  schema: z.object(operationRef),
});

/** A failed batch is to be worked on anew, as if it had just been submitted. */
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
 * Everything of an agent before this is forgotten. It names the agent by its key alone, since it is the one event that
 * stays when all others are erased from the log.
 */
export const agentErased = defineEvent({
  type: 'AgentErased',
  version: 1,
  schema: z.object({ space: z.string(), agentKey: z.string() }),
});

/** An agent has thought about a question. */
export const questionAnswered = defineEvent({
  type: 'QuestionAnswered',
  version: 1,
  schema: z.object({
    ...agentRef,
    thoughtId: z.string(),
    query: z.string(),
    answer: z.string(),
    /** The units that the model was given. */
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

/** What an agent came to believe by a thought; each opinion becomes a unit. */
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

/** New facts have made an agent surer or less sure of an opinion, or made it change its mind. */
export const opinionRevised = defineEvent({
  type: 'OpinionRevised',
  version: 2,
  schema: z.object({
    ...agentRef,
    unitId: z.string(),
    verdict: z.enum(['raise', 'lower', 'rewrite']),
    /** As it is now. */
    text: z.string(),
    confidence,
    /** Of the opinion, as it was formed. ISO 8601 in UTC with milliseconds. */
    eventDate: z.string(),
    /** Null when the text is as it was. */
    vector: vector.nullable(),
    /** Of the new text; null when they are as they were. */
    entities: z.array(entitySchema).nullable(),
    embeddingModel: z.string(),
    /** The id of the event that brought the facts. */
    because: z.string(),
    former: z.string(),
    ...prompted,
  }),
  upcasters: {
    // A rewritten opinion once kept the entities that it was formed with.
    1: (data) => ({ ...(data as object), entities: null }),
  },
});

/** Something was added to the text about who an agent is. */
export const backgroundMerged = defineEvent({
  type: 'BackgroundMerged',
  version: 1,
  schema: z.object({
    ...agentRef,
    mergeId: z.string(),
    addition: z.string(),
    /** The whole of it, as it is now. */
    background: z.string(),
    writer: z.string(),
    ...prompted,
  }),
});

/** Every event that the `MEMORY` stream may hold. */
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
