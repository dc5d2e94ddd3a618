import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { personalitySchema } from './schemas.ts';
import { thinkFactSchema } from './thinking.ts';

const agentRef = { space: z.string(), agentId: z.string() };
/** Up to which sequence of `MEMORY` the memories were read; nothing is recorded of those that were erased since. */
const readAt = z.int().min(0);
const character = z.object({ personality: personalitySchema, background: z.string() });

/** Finds an answer; nothing is stored by it. */
export const think = defineEndpoint({
  service: 'memory-query',
  name: 'think',
  request: z.object({
    ...agentRef,
    query: z.string(),
    context: z.string().nullable(),
    /** The most memory units that may be visited for each type of fact. */
    thinkingBudget: z.int().min(1).max(10_000),
    /** The read waits until the read model has applied this sequence of `MEMORY`. */
    minSequence: z.int().min(0).optional(),
  }),
  reply: z.object({
    text: z.string(),
    /** World, then agent, then opinion. */
    basedOn: z.array(thinkFactSchema),
    agent: character,
    thinker: z.string(),
    promptVersion: z.string(),
    readAt,
  }),
});

/** Records an answer with the opinions in it. The same `thoughtId` again changes nothing and gives what was recorded. */
export const recordThought = defineEndpoint({
  service: 'memory-ingest',
  name: 'record-thought',
  request: z.object({
    ...agentRef,
    thoughtId: z.string(),
    query: z.string(),
    answer: z.string(),
    /** Ids of the units that the model was given. */
    basedOn: z.array(z.string()),
    /** Texts of the opinions among them, which are not formed again. */
    knownOpinions: z.array(z.string()),
    agent: character,
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
});

/** Merges an addition into the background. The same `mergeId` again changes nothing. Creates the agent when it is absent. */
export const addBackground = defineEndpoint({
  service: 'memory-ingest',
  name: 'add-background',
  request: z.object({ ...agentRef, content: z.string(), updatePersonality: z.boolean(), mergeId: z.string() }),
  reply: z.object({
    background: z.string(),
    personality: personalitySchema,
    /** Of the last event that the command appended, as `MEMORY:42`; null when it appended none. */
    position: z.string().nullable(),
  }),
});

/** The most facts that one question for the opinions that they bear on may hold. */
export const maxBearingFacts = 32;

/** Which opinions of an agent new facts bear on, the most alike first. */
export const affectedOpinions = defineEndpoint({
  service: 'memory-query',
  name: 'affected-opinions',
  request: z.object({
    ...agentRef,
    /** Where the facts came from; opinions of the same origin are left out. */
    operationId: z.string(),
    embeddingModel: z.string(),
    /** With their vectors as events hold them. */
    facts: z.array(z.object({ text: z.string(), vector: z.string() })).max(maxBearingFacts),
    minSequence: z.int().min(0).optional(),
  }),
  reply: z.object({
    agent: character,
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
});
