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

/** The most facts that one question for the opinions that they bear on may hold. */
export const maxBearingFacts = 32;

/** Questions to the read models of the memory area. */
export const memoryQuery = {
  /** Answers when the read model has applied the sequence, or when the time is over. */
  awaitPosition: defineEndpoint({
    service,
    name: 'await-position',
    request: z.object({ sequence, waitMs: z.int().min(0).max(5000) }),
    reply: z.object({ reached: z.boolean() }),
  }),
  /** Answers when nothing of the agent from before its erasure at the sequence is left, or when the time is over. */
  awaitErasure: defineEndpoint({
    service,
    name: 'await-erasure',
    request: z.object({ ...agentRef, sequence, waitMs: z.int().min(0).max(5000) }),
    reply: z.object({ isDone: z.boolean() }),
  }),
  /**
   * Answers when the operation is completed, failed or cancelled, or when the time is over (`settled: false`). Settled
   * without an operation means that it was erased with its agent.
   */
  awaitOperation: defineEndpoint({
    service,
    name: 'await-operation',
    request: z.object({
      ...agentRef,
      operationId: z.guid(),
      waitMs: z.int().min(0).max(5000),
      /** Where it was submitted. */
      submittedSequence: sequence,
    }),
    reply: z.object({
      settled: z.boolean(),
      /** The position of the event that settled it, as `MEMORY:42`. */
      position: z.string().nullable(),
      operation: operationStatusSchema.nullable(),
    }),
  }),
  /** Whether a unit exists, and whose it is. */
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
  /** A page of agents, 4 MB at most; 400 when the cursor is none of its own. */
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
      /** Counts what is applied, also when an event of the agent could not be; an erasure is not to wait for that. */
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
  /** 404 `Operation <id> not found`; 403 when it belongs to another agent than the only one that the caller may touch. */
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
      /** Empty: all three. */
      factTypes: z.array(factTypeSchema),
      /** The most memory units that the search may visit. */
      thinkingBudget: z.int().min(1).max(10_000),
      /** Tokens of cl100k over the texts of the results. */
      maxTokens: z.int().min(0),
      reranker: z.enum(rerankers),
      trace: z.boolean(),
      /** ISO 8601 with an offset; null: now. */
      questionDate: z.string().nullable(),
      minSequence,
    }),
    reply: searchReplySchema,
  }),
  /** Finds an answer; nothing is stored by it. */
  think: defineEndpoint({
    service,
    name: 'think',
    request: z.object({
      ...agentRef,
      query: z.string(),
      context: z.string().nullable(),
      /** The most memory units that may be visited for each type of fact. */
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
  /** Which opinions of an agent new facts bear on, the most alike first. */
  affectedOpinions: defineEndpoint({
    service,
    name: 'affected-opinions',
    request: z.object({
      ...agentRef,
      /** Where the facts came from; opinions of the same origin are left out. */
      operationId: z.string(),
      embeddingModel: z.string(),
      /** With their vectors as events hold them. */
      facts: z.array(z.object({ text: z.string(), vector: z.string() })).max(maxBearingFacts),
      minSequence,
    }),
    reply: z.object({
      agent: characterSchema,
      /** Whether the agent has any, affected or not. */
      hasOpinions: z.boolean(),
      readAt,
      opinions: z.array(
        z.object({
          unitId: z.string(),
          text: z.string(),
          confidence: z.number().nullable(),
          eventDate: z.string(),
          /** The places of the facts that bear on it, in the request. */
          facts: z.array(z.int().min(0)),
        }),
      ),
    }),
  }),
} as const;
