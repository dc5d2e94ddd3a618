import { z } from 'zod';
import { defineEvent } from '../events/definition.ts';
import { entitySchema } from './schemas.ts';

const agentRef = { space: z.string(), agentId: z.string() };
const confidence = z.number().min(0).max(1);
/** Little-endian float32 values in base64, as many as the embedding model has dimensions. */
const vector = z.string();
/** Which model did it, and by which version of the prompt. */
const prompted = { promptVersion: z.string() };

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
