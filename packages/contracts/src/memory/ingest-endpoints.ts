import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { agentProfileSchema } from './replies.ts';
import { characterSchema, personalitySchema } from './schemas.ts';

const service = 'memory-ingest';
const agentRef = { space: z.string(), agentId: z.string() };
/** The position of the last event that the command appended, as `MEMORY:42`; null when it appended none. */
const position = z.string().nullable();
/** Set for a caller that may access one agent only: 403 for what belongs to another agent. */
const onlyAgent = z.string().optional();
/** Up to which sequence of `MEMORY` the memories were read. Nothing is recorded of memories that were erased since. */
const readAt = z.int().min(0);
const profileReply = z.object({ profile: agentProfileSchema, position });

/** Commands of the memory area. */
export const memoryIngest = {
  /** 404 for an operation that is unknown, finished or cancelled. A failed one is dismissed. */
  cancelOperation: defineEndpoint({
    service,
    name: 'cancel-operation',
    request: z.object({ space: z.string(), operationId: z.guid(), onlyAgent }),
    reply: z.object({ agentId: z.string(), position }),
  }),
  /**
   * 404 for an operation that is unknown or dismissed, 409 for one that has not failed.
   * The same `commandId` again changes nothing.
   */
  retryOperation: defineEndpoint({
    service,
    name: 'retry-operation',
    request: z.object({ space: z.string(), operationId: z.guid(), commandId: z.string(), onlyAgent }),
    reply: z.object({ position: z.string() }),
  }),
  /** 404 `Memory unit not found`. */
  forgetUnit: defineEndpoint({
    service,
    name: 'forget-unit',
    request: z.object({ space: z.string(), unitId: z.guid(), onlyAgent }),
    reply: z.object({ position }),
  }),
  /** 404 `Document not found`. */
  deleteDocument: defineEndpoint({
    service,
    name: 'delete-document',
    request: z.object({ ...agentRef, documentId: z.string() }),
    reply: z.object({ unitsDeleted: z.int(), position }),
  }),
  /** Creates the agent with defaults when it is absent. */
  ensureAgent: defineEndpoint({
    service,
    name: 'ensure-agent',
    request: z.object(agentRef),
    reply: profileReply,
  }),
  /** Replaces the given fields and keeps the others; creates the agent when it is absent. */
  putAgent: defineEndpoint({
    service,
    name: 'put-agent',
    request: z.object({ ...agentRef, personality: personalitySchema.nullable(), background: z.string().nullable() }),
    reply: profileReply,
  }),
  /**
   * Answers when the agent is erased from the event log; the read models follow. 404 `Agent not found` when the log never
   * had events of it. When it is already erased, `wasThere` is false and `position` is that of the earlier erasure.
   */
  eraseAgent: defineEndpoint({
    service,
    name: 'erase-agent',
    request: z.object(agentRef),
    reply: z.object({
      wasThere: z.boolean(),
      units: z.int(),
      links: z.int(),
      documents: z.int(),
      operations: z.int(),
      events: z.int(),
      position: z.string(),
    }),
  }),
  /** Records an answer and the opinions in it. Idempotent by `thoughtId`: a repetition returns what was recorded. */
  recordThought: defineEndpoint({
    service,
    name: 'record-thought',
    request: z.object({
      ...agentRef,
      thoughtId: z.string(),
      query: z.string(),
      answer: z.string(),
      /** Ids of the units that the model was given. */
      basedOn: z.array(z.string()),
      /** Texts of the opinions among them, so that they are not formed again. */
      knownOpinions: z.array(z.string()),
      agent: characterSchema,
      thinker: z.string(),
      promptVersion: z.string(),
      readAt,
    }),
    reply: z.object({
      answer: z.string(),
      basedOn: z.array(z.string()),
      newOpinions: z.array(z.string()),
      position: z.string(),
    }),
  }),
  /** Merges an addition into the background. Idempotent by `mergeId`. Creates the agent when it is absent. */
  addBackground: defineEndpoint({
    service,
    name: 'add-background',
    request: z.object({ ...agentRef, content: z.string(), updatePersonality: z.boolean(), mergeId: z.string() }),
    reply: z.object({
      background: z.string(),
      personality: personalitySchema,
      position,
    }),
  }),
} as const;
