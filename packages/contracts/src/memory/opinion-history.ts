import { z } from 'zod';
import { component } from '../http/component.ts';
import { sourceEventSchema } from './unit-reply.ts';

/** The most steps in one reply; an opinion that was revised more often shows its newest. */
export const maxOpinionSteps = 500;
/** The most facts of one step. */
export const maxStepFacts = 20;

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
