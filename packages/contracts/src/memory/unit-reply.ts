import { z } from 'zod';
import { component } from '../http/component.ts';
import { entitySchema, factTypeSchema, linkTypeSchema, timestampSchema } from './schemas.ts';

/** The most links of a unit in one reply. */
export const maxShownLinks = 100;
/** The most former texts, and the most changes of an opinion, in one reply. */
export const maxShownChanges = 100;
/** The most steps in one reply; an opinion that was revised more often shows its newest. */
export const maxOpinionSteps = 500;
/** The most facts of one step. */
export const maxStepFacts = 20;

const sourceEventSchema = component(
  'SourceEvent',
  {
    stream: z.string().meta({ example: 'MEMORY' }),
    sequence: z.int().min(1),
    id: z.string(),
    type: z.string().meta({ example: 'FactsExtracted' }),
    time: timestampSchema,
  },
  { description: 'An event of the log' },
);
export type SourceEvent = z.infer<typeof sourceEventSchema>;

const principalSchema = component(
  'Principal',
  { kind: z.enum(['key', 'user']), id: z.int().min(1).meta({ description: 'The id of the API key or the user' }) },
  { description: 'Who sent the request' },
);

const provenance = {
  event: sourceEventSchema,
  request_id: z.string().nullable().meta({
    description: 'The `X-Request-Id` of the request that led to the event; null if the event does not say',
  }),
  principal: principalSchema.nullable().meta({
    description: 'Null if the request had no credentials, or the event does not say',
  }),
};

const originSchema = component(
  'Origin',
  {
    ...provenance,
    operation_id: z
      .string()
      .nullable()
      .meta({ description: 'The batch that the unit was extracted from; null for an opinion formed by an answer' }),
  },
  { description: 'Where a memory unit comes from' },
);
export type Origin = z.infer<typeof originSchema>;

const linkedUnitSchema = z.object({
  id: z.string(),
  text: z.string().meta({ description: 'Cut to 500 characters' }),
});

const unitLinkSchema = component('UnitLink', {
  type: linkTypeSchema,
  direction: z
    .enum(['in', 'out'])
    .meta({ description: '`in`: from the other, older unit; `out`: to the other, newer unit' }),
  weight: z.number().meta({ description: '0 to 1' }),
  entity: z.string().nullable().meta({ description: 'The entity that both mention, for entity links' }),
  unit: linkedUnitSchema,
});
export type UnitLink = z.infer<typeof unitLinkSchema>;

const formerTextSchema = component('FormerText', {
  text: z.string(),
  until: timestampSchema,
  ...provenance,
  event: sourceEventSchema.meta({ description: 'The event that replaced the text' }),
});
export type FormerText = z.infer<typeof formerTextSchema>;

const opinionChangeSchema = component('OpinionChange', {
  change: z.enum(['formed', 'raise', 'lower', 'rewrite']),
  event: sourceEventSchema,
  confidence_before: z.number().nullable().meta({ description: '0 to 1; null if the opinion had none' }),
  confidence_after: z.number().nullable().meta({ description: '0 to 1' }),
  facts: z
    .array(z.object({ id: z.string(), text: z.string().nullable() }))
    .meta({ description: 'The memory units that led to it; the text is null if the unit no longer exists' }),
});
export type OpinionChange = z.infer<typeof opinionChangeSchema>;

/** One memory unit with everything that is known of it. */
export const memoryUnitSchema = component('MemoryUnitResponse', {
  id: z.string(),
  agent_id: z.string(),
  text: z.string(),
  context: z.string().nullable().meta({ description: 'Whole; lists and searches cut it to 2000 characters' }),
  date: timestampSchema,
  fact_type: factTypeSchema,
  entities: z.array(entitySchema),
  confidence: z.number().nullable().meta({ description: 'Of an opinion, 0 to 1; null for facts' }),
  mentions: z.int().meta({ description: 'How often it was stored; repetitions of a fact are counted' }),
  document: z
    .object({
      id: z.string(),
      item: z.int().nullable().meta({
        description: 'Index of the item that it was extracted from in the batch that stored it, from 0; see `origin`',
      }),
      fact: z.int().meta({ description: 'Index among all facts of that batch, from 0' }),
    })
    .nullable(),
  links: z.array(unitLinkSchema).max(maxShownLinks).meta({ description: 'The strongest first' }),
  has_more_links: z.boolean(),
  origin: originSchema.nullable().meta({ description: 'Null if the event is not in the log any more' }),
  history: z.array(formerTextSchema).max(maxShownChanges).meta({ description: 'Former texts, the oldest first' }),
  opinion: z
    .array(opinionChangeSchema)
    .max(maxShownChanges)
    .nullable()
    .meta({ description: 'How an opinion was formed and revised, the oldest first; null for facts' }),
});
export type MemoryUnit = z.infer<typeof memoryUnitSchema>;

const opinionStepSchema = component('OpinionStep', {
  time: z.string().meta({ format: 'date-time' }),
  reason: z.enum(['formed', 'raise', 'lower', 'rewrite', 'corrected']).meta({
    description:
      '`formed`: by an answer; `raise`, `lower`, `rewrite`: how the model weighed it against new facts; `corrected`: by a request',
  }),
  text: z.string().nullable().meta({ description: 'From then on; null if the event is not in the log any more' }),
  confidence: z.number().nullable().meta({ description: 'From then on, 0 to 1' }),
  facts: z
    .array(z.object({ id: z.string(), text: z.string().nullable() }))
    .max(maxStepFacts)
    .meta({ description: 'The memory units that led to it; the text is null if the unit no longer exists' }),
  event: sourceEventSchema,
});
export type OpinionHistoryStep = z.infer<typeof opinionStepSchema>;

export const opinionHistorySchema = component('OpinionHistoryResponse', {
  unit_id: z.string(),
  agent_id: z.string(),
  text: z.string(),
  confidence: z.number().nullable(),
  steps: z.array(opinionStepSchema).max(maxOpinionSteps).meta({ description: 'The oldest first' }),
  has_more: z.boolean().meta({ description: 'Whether there are older steps that are not shown' }),
});
export type OpinionHistory = z.infer<typeof opinionHistorySchema>;
