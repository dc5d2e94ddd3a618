import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  agentListSchema,
  documentListSchema,
  documentSchema,
  graphSchema,
  operationListSchema,
  operationStatusSchema,
  searchReplySchema,
  statsSchema,
  unitListSchema,
} from './replies.ts';
import { characterSchema, factTypeSchema, rerankers } from './schemas.ts';
import { thinkFactSchema } from './thinking.ts';

const service = 'memory-query';
const space = z.string();
const agentRef = { space, agentId: z.string() };
const page = { limit: z.int().min(1).max(1000), offset: z.int().min(0) };
const sequence = z.int().min(0);
/** The read waits until the read model has applied this sequence of `MEMORY`, 5 s at most, then answers 503. */
const minSequence = sequence.optional();

/** Up to which sequence of `MEMORY` the memories were read. Nothing is recorded of memories that were erased since. */
const readAt = z.int().min(0);

/** Maximum number of facts in one request for `affectedOpinions`. */
export const maxBearingFacts = 32;

/** Queries of the memory area. */
export const memoryQuery = {
  /** Answers when the read model has applied the sequence, or after `waitMs`. */
  awaitPosition: defineEndpoint({
    service,
    name: 'await-position',
    request: z.object({ sequence, waitMs: z.int().min(0).max(5000) }),
    reply: z.object({ reached: z.boolean() }),
  }),
  /** Answers when nothing of the agent from before its erasure at the sequence is left, or after `waitMs`. */
  awaitErasure: defineEndpoint({
    service,
    name: 'await-erasure',
    request: z.object({ ...agentRef, sequence, waitMs: z.int().min(0).max(5000) }),
    reply: z.object({ isDone: z.boolean() }),
  }),
  /**
   * Answers when the operation is completed, failed or cancelled, or after `waitMs` with `settled: false`. Settled
   * without an operation means that it was erased with its agent.
   */
  awaitOperation: defineEndpoint({
    service,
    name: 'await-operation',
    request: z.object({
      ...agentRef,
      operationId: z.guid(),
      waitMs: z.int().min(0).max(5000),
      /** The sequence of its submission. */
      submittedSequence: sequence,
    }),
    reply: z.object({
      settled: z.boolean(),
      /** The position of the event that settled it, as `MEMORY:42`. */
      position: z.string().nullable(),
      operation: operationStatusSchema.nullable(),
    }),
  }),
  /** The agent of a unit; null when there is no such unit. */
  findUnit: defineEndpoint({
    service,
    name: 'find-unit',
    request: z.object({ space, unitId: z.guid(), minSequence }),
    reply: z.object({ agentId: z.string().nullable() }),
  }),
  /** How many units a document has; null when there is no such document. */
  findDocument: defineEndpoint({
    service,
    name: 'find-document',
    request: z.object({ ...agentRef, documentId: z.string(), minSequence }),
    reply: z.object({ unitCount: z.int().nullable() }),
  }),
  listUnits: defineEndpoint({
    service,
    name: 'list-units',
    request: z.object({
      space,
      agentId: z.string().optional(),
      factType: factTypeSchema.optional(),
      q: z.string().optional(),
      ...page,
      minSequence,
    }),
    reply: unitListSchema,
  }),
  /** The newest units and the links among them, 4 MB at most. */
  graph: defineEndpoint({
    service,
    name: 'graph',
    request: z.object({ space, agentId: z.string().optional(), factType: factTypeSchema.optional(), minSequence }),
    reply: graphSchema,
  }),
  listDocuments: defineEndpoint({
    service,
    name: 'list-documents',
    request: z.object({ ...agentRef, q: z.string().optional(), ...page, minSequence }),
    reply: documentListSchema,
  }),
  /** 404 `Document not found`. */
  getDocument: defineEndpoint({
    service,
    name: 'get-document',
    request: z.object({ ...agentRef, documentId: z.string(), minSequence }),
    reply: documentSchema,
  }),
  /** A page of agents, 4 MB at most; 400 for a cursor that it did not return. */
  listAgents: defineEndpoint({
    service,
    name: 'list-agents',
    request: z.object({
      space,
      /** Only this agent. */
      agentId: z.string().optional(),
      prefix: z.string().optional(),
      limit: z.int().min(1).max(1000),
      cursor: z.string().optional(),
      minSequence,
    }),
    reply: agentListSchema,
  }),
  stats: defineEndpoint({
    service,
    name: 'stats',
    request: z.object({
      ...agentRef,
      minSequence,
      /** Also counts when an event of the agent could not be applied, which an erasure must not wait for. */
      isBehindAllowed: z.boolean().optional(),
    }),
    reply: statsSchema,
  }),
  listOperations: defineEndpoint({
    service,
    name: 'list-operations',
    request: z.object({ ...agentRef, minSequence }),
    reply: operationListSchema,
  }),
  /** 404 `Operation <id> not found`; 403 when it belongs to another agent than `onlyAgent`. */
  operationStatus: defineEndpoint({
    service,
    name: 'operation-status',
    request: z.object({ space, operationId: z.guid(), onlyAgent: z.string().optional(), minSequence }),
    reply: operationStatusSchema,
  }),
  search: defineEndpoint({
    service,
    name: 'search',
    request: z.object({
      ...agentRef,
      query: z.string(),
      /** Empty for all three. */
      factTypes: z.array(factTypeSchema),
      /** Maximum number of memory units to visit. */
      thinkingBudget: z.int().min(1).max(10_000),
      /** Token budget (cl100k) for the texts of the results. */
      maxTokens: z.int().min(0),
      reranker: z.enum(rerankers),
      trace: z.boolean(),
      /** ISO 8601 with an offset; null: now. */
      questionDate: z.string().nullable(),
      minSequence,
    }),
    reply: searchReplySchema,
  }),
  /** Finds an answer; stores nothing. */
  think: defineEndpoint({
    service,
    name: 'think',
    request: z.object({
      ...agentRef,
      query: z.string(),
      context: z.string().nullable(),
      /** Maximum number of memory units to visit for each fact type. */
      thinkingBudget: z.int().min(1).max(10_000),
      minSequence,
    }),
    reply: z.object({
      text: z.string(),
      /** World, then agent, then opinion. */
      basedOn: z.array(thinkFactSchema),
      agent: characterSchema,
      thinker: z.string(),
      promptVersion: z.string(),
      readAt,
    }),
  }),
  /** The opinions of an agent that new facts affect, the most similar first. */
  affectedOpinions: defineEndpoint({
    service,
    name: 'affected-opinions',
    request: z.object({
      ...agentRef,
      /** The origin of the facts; opinions of the same origin are left out. */
      operationId: z.string(),
      embeddingModel: z.string(),
      /** With vectors in the encoding of events. */
      facts: z.array(z.object({ text: z.string(), vector: z.string() })).max(maxBearingFacts),
      minSequence,
    }),
    reply: z.object({
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
  }),
} as const;
