import { z } from 'zod';
import { component } from '../http/component.ts';
import { agentOfList, dateTime, documentId, queryInteger, textUpTo } from '../http/fields.ts';
import { factTypeSchema, linkTypeSchema, timestampSchema } from './schemas.ts';
import { isSpan, spanFault } from './searching.ts';

// Request and reply of the graph.

/** The most nodes and edges of a graph. */
export const maxGraphNodes = 1_000;
export const maxGraphEdges = 5_000;

export const graphQuery = z
  .object({
    agent_id: agentOfList,
    fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
    limit: queryInteger({
      min: 1,
      max: maxGraphNodes,
      default: maxGraphNodes,
      description: 'Maximum number of nodes, those with the newest `date`',
    }),
    edge_limit: queryInteger({
      min: 0,
      max: maxGraphEdges,
      default: maxGraphEdges,
      description: 'Maximum number of edges, the strongest',
    }),
    link_type: linkTypeSchema.optional().meta({ description: 'Only links of this kind' }),
    since: dateTime.optional().meta({ description: 'Only units with this `date` or a later one' }),
    until: dateTime.optional().meta({ description: 'Only units with an earlier `date`' }),
    entity: textUpTo(1_000)
      .optional()
      .meta({
        description:
          'Only units that mention the entity of this name, as `entities` shows it: compared with case, and without other ' +
          'spellings of the same entity',
        example: 'Ana',
      }),
    document_id: documentId.optional().meta({ description: 'Only units of this document' }),
  })
  .refine(isSpan, spanFault);

const shown = {
  id: z.string(),
  text: z.string().meta({ description: 'Cut and ending in `…` if the response would become too large' }),
  context: z.string().nullable().meta({ description: 'Cut to 500 characters' }),
  date: timestampSchema,
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
};

const nodeFields = {
  ...shown,
  label: z.string().meta({ description: 'The first 30 characters of the text, followed by `...` if it is longer' }),
  type: factTypeSchema,
  color: z.string().meta({
    description: '`#4e79a7` for world, `#59a14f` for agent and `#e15759` for opinion units',
    example: '#4e79a7',
  }),
};

const graphNodeSchema = component('GraphNode', {
  ...nodeFields,
  data: z.object(nodeFields).meta({ description: 'Same values in the format of Cytoscape' }),
});

const edgeStyle = {
  color: z.string().meta({
    description: '`#00bcd4` for temporal, `#ff69b4` for semantic and `#ffd700` for entity links',
    example: '#00bcd4',
  }),
  lineStyle: z.enum(['solid', 'dashed']).meta({ description: '`dashed` for temporal links, otherwise `solid`' }),
};

const graphEdgeSchema = component('GraphEdge', {
  from: z.string(),
  to: z.string(),
  type: z.string().meta({ description: '`temporal`, `semantic` or `entity`' }),
  weight: z.number().meta({ description: '0 to 1' }),
  ...edgeStyle,
  data: z.object({
    id: z.string(),
    source: z.string(),
    target: z.string(),
    linkType: z.string(),
    weight: z.number(),
    entityName: z.string().nullable(),
    ...edgeStyle,
  }),
});

export const graphSchema = component('GraphResponse', {
  nodes: z.array(graphNodeSchema),
  edges: z.array(graphEdgeSchema),
  table_rows: z.array(component('GraphTableRow', shown)),
  total_units: z.int().meta({ description: 'Number of matching units, including those not shown' }),
});
export type Graph = z.infer<typeof graphSchema>;
