import { z } from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { agentRef, belonging, position, readAt } from '../endpoint-fields.ts';
import { agentProfileSchema } from './replies.ts';
import { characterSchema, personalitySchema } from './schemas.ts';

const endpoint = endpointsOf('memory-ingest');
const profileReply = z.object({ profile: agentProfileSchema, position });

/** Commands of the memory area. */
export const memoryIngest = {
  /** 404 for an operation that is unknown, finished or cancelled. A failed one is dismissed. */
  cancelOperation: endpoint(
    'cancel-operation',
    { space: z.string(), operationId: z.guid(), ...belonging },
    z.object({ agentId: z.string(), position }),
  ),
  /**
   * 404 for an operation that is unknown or dismissed, 409 for one that has not failed.
   * The same `commandId` again changes nothing.
   */
  retryOperation: endpoint(
    'retry-operation',
    { space: z.string(), operationId: z.guid(), commandId: z.string(), ...belonging },
    z.object({ position: z.string() }),
  ),
  /** 404 `Memory unit not found`. */
  forgetUnit: endpoint(
    'forget-unit',
    { space: z.string(), unitId: z.guid(), ...belonging },
    // Earlier releases do not say whose unit it was.
    z.object({ agentId: z.string().optional(), position }),
  ),
  /**
   * Replaces the text of a unit; null as the position if it has that text already. 404 `Memory unit not found`, 409 when
   * it has another text than `expectedText`. The same `correctionId` again changes nothing.
   */
  correctUnit: endpoint(
    'correct-unit',
    {
      space: z.string(),
      unitId: z.guid(),
      ...belonging,
      correctionId: z.string(),
      text: z.string(),
      /** The text that the caller corrects; null: any. */
      expectedText: z.string().nullable(),
    },
    z.object({ agentId: z.string(), position }),
  ),
  /** 404 `Document not found`. */
  deleteDocument: endpoint(
    'delete-document',
    { ...agentRef, documentId: z.string() },
    z.object({ unitsDeleted: z.int(), position }),
  ),
  /** Creates the agent with defaults when it is absent. */
  ensureAgent: endpoint('ensure-agent', agentRef, profileReply),
  /** Replaces the given fields and keeps the others; creates the agent when it is absent. */
  putAgent: endpoint(
    'put-agent',
    { ...agentRef, personality: personalitySchema.nullable(), background: z.string().nullable() },
    profileReply,
  ),
  /**
   * Answers when the agent is erased from the event log; the read models follow. 404 `Agent not found` when the log never
   * had events of it. When it is already erased, `wasThere` is false and `position` is that of the earlier erasure.
   */
  eraseAgent: endpoint(
    'erase-agent',
    agentRef,
    z.object({
      wasThere: z.boolean(),
      units: z.int(),
      links: z.int(),
      documents: z.int(),
      operations: z.int(),
      events: z.int(),
      position: z.string(),
    }),
  ),
  /** Records an answer and the opinions in it. Idempotent by `thoughtId`: a repetition returns what was recorded. */
  recordThought: endpoint(
    'record-thought',
    {
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
    },
    z.object({
      answer: z.string(),
      basedOn: z.array(z.string()),
      newOpinions: z.array(z.string()),
      position: z.string(),
    }),
  ),
  /**
   * Merges an addition into the background. Idempotent by `mergeId`. Creates the agent when it is absent. A preview only
   * replies what would be stored.
   */
  addBackground: endpoint(
    'add-background',
    {
      ...agentRef,
      content: z.string(),
      updatePersonality: z.boolean(),
      mergeId: z.string(),
      preview: z.boolean().optional(),
    },
    z.object({
      background: z.string(),
      personality: personalitySchema,
      position,
    }),
  ),
} as const;
