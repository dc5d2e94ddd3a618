import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { metadataSchema } from './metadata.ts';
import { documentModes, entitySchema, factTypeSchema, itemRoles, personalitySchema } from './schemas.ts';

const agentRef = { space: z.string(), agentId: z.string() };
const operationRef = { ...agentRef, operationId: z.string() };
/** An event larger than one message is split into parts, which are appended as one atomic batch. */
const partOf = { part: z.int().min(0), parts: z.int().min(1) };
const confidence = z.number().min(0).max(1);
/** Little-endian float32 values in base64, as many as the embedding model has dimensions. */
const vector = z.string();
/** The version of the model's prompt. */
const prompted = { promptVersion: z.string() };
/**
 * The sequence of the log up to which the memories had been read that a thought is based on. Absent in events of earlier
 * releases, which did not create the agent before its first thought.
 */
const readAt = z.int().min(0).optional();

/** What a caller says about an item beside its text. */
const itemDetails = { role: z.enum(itemRoles).optional(), metadata: metadataSchema.optional() };
const itemDetailsSchema = z.object(itemDetails);
export type ItemDetails = z.infer<typeof itemDetailsSchema>;

/** Without it, a batch replaces its document. */
const mode = z.enum(documentModes).optional();

const submittedItemSchema = z.object({
  content: z.string(),
  /** ISO 8601 with the offset that the caller gave; null: the time of the event. */
  eventDate: z.string().nullable(),
  context: z.string().nullable(),
  ...itemDetails,
  /** False: only the text of the document has the item; no facts are extracted from it. */
  extract: z.boolean().optional(),
});
export type SubmittedItem = z.infer<typeof submittedItemSchema>;

const recordedFactSchema = z.object({
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

const recordedOpinionSchema = z.object({
  /** In the first person. */
  text: z.string(),
  confidence,
  entities: z.array(entitySchema),
  /** ISO 8601 in UTC with milliseconds. */
  eventDate: z.string(),
  vector,
});
export type RecordedOpinion = z.infer<typeof recordedOpinionSchema>;

/**
 * Vectors for the texts of an earlier event: of the embedding model that the event names, if it has no vectors yet, or of
 * another one.
 */
export const vectorsAdded = defineEvent(
  'VectorsAdded',
  {
    ...agentRef,
    /**
     * The batch or thought whose units get these vectors here, at this position of the log. Null for vectors of another
     * embedding model that take effect at the position of the event that they are for.
     */
    operationId: z.string().nullable(),
    /** The only unit that gets a vector, if it was reworded by the event. */
    unitId: z.string().optional(),
    /** Index of the first vector's fact among all facts of the batch. */
    firstFact: z.int().min(0),
    embeddingModel: z.string(),
    /** The sequence of the event that the vectors are for. */
    of: z.int().min(1),
    /** In the order of the event's facts or opinions; little-endian float32 values in base64. */
    vectors: z.array(z.string()),
  },
  {
    version: 2,
    // Version 1 was only written for other embedding models; its agent follows from the subject.
    upcasters: { 1: (data) => ({ space: '', agentId: '', operationId: null, firstFact: 0, ...(data as object) }) },
  },
);

/** All events of the `MEMORY` stream that the read model follows. */
export const memoryEvents = eventCatalog([
  /** A caller submitted a batch of items. Recorded by the gateway before any processing. */
  defineEvent('BatchSubmitted', {
    ...operationRef,
    ...partOf,
    documentId: z.string().nullable(),
    mode,
    /** Of the whole batch, not of this part. */
    itemsCount: z.int().min(0),
    /** Whether the caller does not wait for the outcome. */
    isAsync: z.boolean().optional(),
    items: z.array(submittedItemSchema),
  }),
  /** Processing of a batch started; the first attempt is 1. */
  defineEvent('OperationStarted', { ...operationRef, attempt: z.int().min(1) }),
  /**
   * The facts of a batch; the last part completes the operation. The context and the details of an item are stored once per
   * part that has facts of it, since an item may yield thousands of facts.
   */
  defineEvent(
    'FactsExtracted',
    {
      ...operationRef,
      ...partOf,
      documentId: z.string().nullable(),
      mode,
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
      /** The details of the items that have any and that this part has facts of, by index of the item. */
      items: z.record(z.string(), itemDetailsSchema).optional(),
    },
    {
      version: 2,
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
    },
  ),
  /** Processing of a batch failed for good; nothing of it is stored. */
  defineEvent('OperationFailed', { ...operationRef, message: z.string(), attempts: z.int().min(1) }),
  /** A pending batch was cancelled before its facts were recorded; nothing of it is stored. */
  defineEvent('OperationCancelled', operationRef),
  /** A failed batch was removed from the list of operations. */
  defineEvent('OperationDismissed', operationRef),
  /** A failed batch is to be processed again, as if it had just been submitted. */
  defineEvent('OperationRetried', operationRef),
  defineEvent('AgentCreated', agentRef),
  defineEvent('PersonalityChanged', { ...agentRef, personality: personalitySchema }),
  defineEvent('BackgroundReplaced', { ...agentRef, background: z.string() }),
  /** An addition was merged into the background of an agent. */
  defineEvent('BackgroundMerged', {
    ...agentRef,
    mergeId: z.string(),
    addition: z.string(),
    /** The merged background. */
    background: z.string(),
    writer: z.string(),
    ...prompted,
  }),
  defineEvent('UnitForgotten', { ...agentRef, unitId: z.string() }),
  /** A caller corrected the text of a unit. Entities and vector are those of the new text. */
  defineEvent('UnitCorrected', {
    ...agentRef,
    unitId: z.string(),
    /** The id of the command; the same correction is recorded once. */
    correctionId: z.string(),
    text: z.string(),
    /** The date of the unit, which a correction keeps. ISO 8601 in UTC with milliseconds. */
    eventDate: z.string(),
    entities: z.array(entitySchema),
    vector,
    embeddingModel: z.string(),
    /** The extractor that found the entities. */
    extractor: z.string(),
    /** Set when the extractor uses a prompt. */
    promptVersion: z.string().optional(),
  }),
  defineEvent('DocumentDeleted', { ...agentRef, documentId: z.string() }),
  /** An agent answered a question. */
  defineEvent('QuestionAnswered', {
    ...agentRef,
    thoughtId: z.string(),
    query: z.string(),
    answer: z.string(),
    /** Ids of the units that the model was given. */
    basedOn: z.array(z.string()),
    thinker: z.string(),
    ...prompted,
    readAt,
  }),
  /** New opinions in the answer to a question; each becomes a unit. */
  defineEvent('OpinionsFormed', {
    ...agentRef,
    thoughtId: z.string(),
    opinions: z.array(recordedOpinionSchema).min(1),
    former: z.string(),
    ...prompted,
    embeddingModel: z.string(),
    readAt,
  }),
  /** New facts raised or lowered the confidence of an opinion, or replaced it. */
  defineEvent(
    'OpinionRevised',
    {
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
      /** Which facts of the batch that the event belongs to, by their indexes; absent in events of earlier releases. */
      facts: z.object({ operationId: z.string(), indexes: z.array(z.int().min(0)) }).optional(),
      /**
       * The date of the newest of those facts, no later than they became known; absent in events of earlier releases. ISO 8601 in
       * UTC with milliseconds.
       */
      factsUntil: z.string().optional(),
      former: z.string(),
      ...prompted,
    },
    {
      version: 2,
      upcasters: {
        // In version 1 a rewritten opinion kept its first entities.
        1: (data) => ({ ...(data as object), entities: null }),
      },
    },
  ),
  /**
   * All earlier events of an agent are erased. It contains only the key of the agent, since this event stays in the log
   * when all others are overwritten.
   */
  defineEvent('AgentErased', { space: z.string(), agentKey: z.string() }),
  vectorsAdded,
]);
export type MemoryEvent = EventOf<typeof memoryEvents>;
/** One event of the memory area, by its type. */
export type MemoryEventOf<T extends MemoryEvent['type']> = Extract<MemoryEvent, { type: T }>;
