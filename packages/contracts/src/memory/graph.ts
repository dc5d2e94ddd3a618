import { z } from 'zod';
import { agentId } from '../http/fields.ts';
import { factTypeSchema } from './schemas.ts';

const shown = {
  id: z.string(),
  text: z.string().meta({ description: 'Cut, ending in `…`, when the reply would become too large' }),
  context: z.string().nullable().meta({ description: 'Its first 500 characters' }),
  date: z.string().meta({ format: 'date-time', description: 'ISO 8601 in UTC with milliseconds' }),
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
};

const nodeFields = {
  ...shown,
  label: z.string().meta({ description: 'The first 30 characters of the text, and `...` when there are more' }),
  type: factTypeSchema,
  color: z.string().meta({ description: 'The same for all units of a type', example: '#4e79a7' }),
};

const graphNodeSchema = z
  .object({ ...nodeFields, data: z.object(nodeFields).meta({ description: 'The same, as Cytoscape takes it' }) })
  .meta({ id: 'GraphNode' });

const graphEdgeSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    type: z.string().meta({ description: '`temporal`, `semantic` or `entity`' }),
    weight: z.number().meta({ description: '0 to 1' }),
    data: z.object({
      id: z.string(),
      source: z.string(),
      target: z.string(),
      linkType: z.string(),
      weight: z.number(),
      entityName: z.string().nullable(),
    }),
  })
  .meta({ id: 'GraphEdge' });

export const graphSchema = z
  .object({
    nodes: z.array(graphNodeSchema),
    edges: z.array(graphEdgeSchema),
    table_rows: z.array(z.object(shown).meta({ id: 'GraphTableRow' })),
    total_units: z.int().meta({ description: 'How many units match, shown or not' }),
  })
  .meta({ id: 'GraphResponse' });
export type Graph = z.infer<typeof graphSchema>;

export const graphQuery = z.object({
  agent_id: agentId.optional().meta({ description: 'Only this agent; all agents unless given' }),
  fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
});
