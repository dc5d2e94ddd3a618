import { z } from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { agentRef, belonging, minSequence, page, position, readAt, sequence } from '../endpoint-fields.ts';
import { graphSchema, maxGraphEdges, maxGraphNodes } from './graph.ts';
import { metadataFilterSchema } from './metadata.ts';
import {
  agentListSchema,
  documentListSchema,
  documentSchema,
  itemUnitsSchema,
  operationListSchema,
  operationStatusSchema,
  statsSchema,
  unitListSchema,
} from './replies.ts';
import { characterSchema, factTypeSchema, linkTypeSchema, rerankers } from './schemas.ts';
import { searchReplySchema } from './searching.ts';
import { thinkFactSchema } from './thinking.ts';
import { memoryUnitSchema, opinionHistorySchema } from './unit-reply.ts';

const endpoint = endpointsOf('memory-query');
const { space } = agentRef;
const waitMs = z.int().min(0).max(5_000);

/** Which units of an agent a search or a question is about; all unless given. */
const filters = {
  documentId: z.string().nullish(),
  /** Half-open; ISO 8601 with an offset. */
  since: z.string().nullish(),
  until: z.string().nullish(),
  metadata: metadataFilterSchema.nullish(),
};

/**
 * Of a list of all agents while an event of one could not be applied: the position up to which all of them are complete.
 */
const asOf = { asOf: z.string().optional() };

/** Maximum number of facts in one request for `affectedOpinions`. */
export const maxBearingFacts = 32;

/** Queries of the memory area. */
export const memoryQuery = {
  /**
   * Answers when the read model has applied the sequence, or after `waitMs`. Of the agent with `agentKey`; unless given, that of
   * the event. With `isBackground` no caller waits for it, so that the storing of facts does not give way.
   */
  awaitPosition: endpoint(
    'await-position',
    {
      space: space.optional(),
      agentKey: z.string().optional(),
      isBackground: z.boolean().optional(),
      sequence,
      waitMs,
    },
    z.object({ reached: z.boolean() }),
  ),
  /** Answers when nothing of the agent from before its erasure at the sequence is left, or after `waitMs`. */
  awaitErasure: endpoint('await-erasure', { ...agentRef, sequence, waitMs }, z.object({ isDone: z.boolean() })),
  /**
   * Answers when the operation is completed, failed or cancelled, or after `waitMs` with `settled: false`. Settled
   * without an operation means that it was erased with its agent.
   */
  awaitOperation: endpoint(
    'await-operation',
    {
      ...agentRef,
      operationId: z.guid(),
      waitMs,
      /** The sequence of its submission. */
      submittedSequence: sequence,
    },
    z.object({
      settled: z.boolean(),
      /** The position of the event that settled it, as `MEMORY:42`. */
      position,
      operation: operationStatusSchema.nullable(),
      /** Of a completed operation: what became of each item. */
      items: itemUnitsSchema.nullish(),
    }),
  ),
  /** The agent of a unit, and what a correction of it starts from; null when there is no such unit. */
  findUnit: endpoint(
    'find-unit',
    { space, unitId: z.guid(), minSequence },
    z.object({
      agentId: z.string().nullable(),
      /** Absent in the answer of an earlier release. */
      unit: z
        .object({
          text: z.string(),
          context: z.string().nullable(),
          eventDate: z.string(),
          /** Of the event that created it. Absent in the answer of an earlier release. */
          sequence: z.int().optional(),
        })
        .optional(),
    }),
  ),
  /** 404 `Memory unit not found`; 403 when it belongs to another agent than `onlyAgent`. */
  getUnit: endpoint('get-unit', { space, unitId: z.guid(), ...belonging, minSequence }, memoryUnitSchema),
  /** 404 `Memory unit not found` or `Opinion not found`; 403 when it belongs to another agent than `onlyAgent`. */
  opinionHistory: endpoint(
    'opinion-history',
    { space, unitId: z.guid(), ...belonging, minSequence },
    opinionHistorySchema,
  ),
  /** How many units a document has: 0 while its first version is being stored; null when there is no such document. */
  findDocument: endpoint(
    'find-document',
    { ...agentRef, documentId: z.string(), minSequence },
    z.object({ unitCount: z.int().nullable() }),
  ),
  listUnits: endpoint(
    'list-units',
    {
      space,
      agentId: z.string().optional(),
      factType: factTypeSchema.optional(),
      q: z.string().optional(),
      documentId: z.string().optional(),
      ...page,
      minSequence,
    },
    unitListSchema.extend(asOf),
  ),
  /** The newest units and the links among them, 4 MB at most. */
  graph: endpoint(
    'graph',
    {
      space,
      agentId: z.string().optional(),
      factType: factTypeSchema.optional(),
      limit: z.int().min(1).max(maxGraphNodes).optional(),
      edgeLimit: z.int().min(0).max(maxGraphEdges).optional(),
      linkType: linkTypeSchema.optional(),
      /** Half-open; ISO 8601 with an offset. */
      since: z.string().optional(),
      until: z.string().optional(),
      /** The name of an entity that the units mention. */
      entity: z.string().optional(),
      documentId: z.string().optional(),
      minSequence,
    },
    graphSchema.extend(asOf),
  ),
  listDocuments: endpoint(
    'list-documents',
    { ...agentRef, q: z.string().optional(), ...page, minSequence },
    documentListSchema,
  ),
  /** 404 `Document not found`; 413 for a text that is too long. */
  getDocument: endpoint(
    'get-document',
    { ...agentRef, documentId: z.string(), withoutText: z.boolean().optional(), minSequence },
    documentSchema,
  ),
  /** A page of agents, 4 MB at most; 400 for a cursor that it did not return. */
  listAgents: endpoint(
    'list-agents',
    {
      space,
      /** Only this agent. */
      agentId: z.string().optional(),
      prefix: z.string().optional(),
      /** Part of the agent's name, ignoring case. */
      q: z.string().optional(),
      /** Whether to count units and documents. */
      counts: z.boolean().optional(),
      limit: z.int().min(1).max(1000),
      cursor: z.string().optional(),
      minSequence,
    },
    agentListSchema.extend(asOf),
  ),
  stats: endpoint(
    'stats',
    {
      ...agentRef,
      minSequence,
      /** Also counts when an event of the agent could not be applied, which an erasure must not wait for. */
      isBehindAllowed: z.boolean().optional(),
    },
    statsSchema,
  ),
  listOperations: endpoint('list-operations', { ...agentRef, minSequence }, operationListSchema),
  /** 404 `Operation <id> not found`; 403 when it belongs to another agent than `onlyAgent`. */
  operationStatus: endpoint(
    'operation-status',
    { space, operationId: z.guid(), ...belonging, minSequence },
    operationStatusSchema,
  ),
  /**
   * The sequence at which a later version of a batch's document was submitted that is stored, or at which the document was
   * deleted: nothing of the batch will ever be there again. Null as long as the read model has not applied such a thing.
   */
  supersededBy: endpoint('superseded-by', { space, operationId: z.guid() }, z.object({ by: sequence.nullable() })),
  search: endpoint(
    'search',
    {
      ...agentRef,
      /** Several agents instead of `agentId`; the best results of all, with their agents. */
      agentIds: z.array(z.string()).nullish(),
      query: z.string(),
      ...filters,
      limit: z.int().min(1).nullish(),
      /** Empty for all three. */
      factTypes: z.array(factTypeSchema),
      /** Maximum number of memory units to visit. */
      thinkingBudget: z.int().min(1).max(10_000),
      /** Token budget (cl100k) for the texts of the results. */
      maxTokens: z.int().min(0),
      reranker: z.enum(rerankers),
      /** Results below this score are left out, and no others; null for the default, which depends on the question. */
      minScore: z.number().nullish(),
      trace: z.boolean(),
      /** ISO 8601 with an offset; null: now. */
      questionDate: z.string().nullable(),
      minSequence,
    },
    searchReplySchema,
  ),
  /** Finds an answer; stores nothing. */
  think: endpoint(
    'think',
    {
      ...agentRef,
      query: z.string(),
      ...filters,
      context: z.string().nullable(),
      /** Maximum number of memory units to visit for each fact type. */
      thinkingBudget: z.int().min(1).max(10_000),
      /** ISO 8601 with an offset, in which days are shown; absent: now, in UTC. */
      questionDate: z.string().nullish(),
      minSequence,
    },
    z.object({
      text: z.string(),
      /** World, then agent, then opinion. */
      basedOn: z.array(thinkFactSchema),
      agent: characterSchema,
      thinker: z.string(),
      promptVersion: z.string(),
      readAt,
    }),
  ),
  /** Which of some texts are opinions that an agent holds. */
  heldOpinions: endpoint(
    'held-opinions',
    { ...agentRef, texts: z.array(z.string()), minSequence },
    z.object({ texts: z.array(z.string()) }),
  ),
  /** Which of the opinions that were formed with a thought were stored: the others repeat one that the agent held. */
  storedOpinions: endpoint(
    'stored-opinions',
    { ...agentRef, thoughtId: z.string(), texts: z.array(z.string()), minSequence },
    z.object({ texts: z.array(z.string()) }),
  ),
  /** The opinions of an agent that new facts affect, the most similar first. Facts that only repeat others affect none. */
  affectedOpinions: endpoint(
    'affected-opinions',
    {
      ...agentRef,
      /** The origin of the facts; opinions of the same origin are left out. */
      operationId: z.string(),
      embeddingModel: z.string(),
      /**
       * With vectors in the encoding of events, and their indexes among the facts of the origin, without which repeated facts
       * count too.
       */
      facts: z
        .array(z.object({ text: z.string(), vector: z.string(), index: z.int().min(0).optional() }))
        .max(maxBearingFacts),
      /** Of the facts: an opinion that was formed later already takes them into account. */
      minSequence,
    },
    z.object({
      agent: characterSchema,
      /** Whether the agent has any opinions, affected or not. */
      hasOpinions: z.boolean(),
      readAt,
      opinions: z.array(
        z.object({
          unitId: z.string(),
          text: z.string(),
          confidence: z.number().nullable(),
          eventDate: z.string(),
          /** Indexes of the facts of the request that affect it. */
          facts: z.array(z.int().min(0)),
        }),
      ),
    }),
  ),
} as const;
