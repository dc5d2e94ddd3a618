import type { z } from 'zod';
import type { Route } from '../http/route.ts';
import {
  agent_id,
  batch,
  context,
  date,
  document,
  document_id,
  entities,
  event,
  node,
  operation,
  operationId,
  otherUnitId,
  page,
  profile,
  stored,
  text,
  time,
  unitId,
} from './example-values.ts';
import type { memoryRoutes } from './routes.ts';
import { defaultPersonality } from './schemas.ts';

/** A request body and the response to it, as the OpenAPI document shows them. */
export interface Example {
  readonly body?: unknown;
  readonly reply: unknown;
}

type ExampleOf<R> =
  R extends Route<infer _P, infer _Q, infer Body, infer Reply>
    ? { readonly reply: z.output<Reply> } & (Body extends z.ZodUndefined ? unknown : { readonly body: z.input<Body> })
    : never;

/** An example of each request body and each response of the memory area, by the name of the route. */
export const memoryExamples: { readonly [Name in keyof typeof memoryRoutes]: ExampleOf<(typeof memoryRoutes)[Name]> } =
  {
    putBatch: {
      body: batch,
      reply: {
        ...stored,
        message: 'Successfully stored 1 memory items',
        operation_id: operationId,
        items: [{ units: [{ id: unitId, text, type: 'world' }] }],
      },
    },
    putBatchAsync: {
      body: batch,
      reply: {
        ...stored,
        message: 'Batch put task queued for background processing (1 items)',
        queued: true,
        operation_id: operationId,
      },
    },
    search: {
      body: { agent_id, query: 'Where does Ana live?', fact_type: ['world'], max_tokens: 1_024 },
      reply: {
        results: [
          {
            id: unitId,
            text,
            type: 'world',
            activation: 0.58,
            context,
            event_date: date,
            score: 0.61,
            relevance: 'high',
            document_id,
            entities,
          },
        ],
        trace: null,
      },
    },
    listUnits: { reply: { items: [{ id: unitId, text, context, date, fact_type: 'world', entities }], ...page } },
    graph: {
      reply: {
        nodes: [{ ...node, data: node }],
        edges: [
          {
            from: otherUnitId,
            to: unitId,
            type: 'entity',
            weight: 0.5,
            color: '#ffd700',
            lineStyle: 'solid',
            data: {
              id: `entity:${otherUnitId}:${unitId}`,
              source: otherUnitId,
              target: unitId,
              linkType: 'entity',
              weight: 0.5,
              entityName: 'Ana',
              color: '#ffd700',
              lineStyle: 'solid',
            },
          },
        ],
        table_rows: [{ id: unitId, text, context, date, entities }],
        total_units: 1,
      },
    },
    getUnit: {
      reply: {
        id: unitId,
        agent_id,
        text,
        context,
        date,
        fact_type: 'world',
        entities: [
          { name: 'Ana', type: 'PERSON' },
          { name: 'Lisbon', type: 'PLACE' },
        ],
        confidence: null,
        mentions: 1,
        document: { id: document_id, item: 0, fact: 0 },
        links: [
          {
            type: 'entity',
            direction: 'in',
            weight: 0.5,
            entity: 'Ana',
            unit: { id: otherUnitId, text: 'Ana likes the sea.' },
          },
        ],
        has_more_links: false,
        origin: {
          event,
          request_id: 'import-17',
          principal: { kind: 'key', id: 12 },
          operation_id: operationId,
        },
        history: [
          {
            text: 'Ana moved to Lissabon.',
            until: '2024-03-02T10:00:00.000Z',
            event: {
              ...event,
              sequence: 57,
              id: '0192fae1-0c00-7000-8000-0000000000ab',
              type: 'UnitCorrected',
              time: '2024-03-02T10:00:00.000Z',
            },
            request_id: '5f0c1d3e-9d0b-4d7c-8a55-0f6a4f3b2e11',
            principal: { kind: 'user', id: 7 },
          },
        ],
        opinion: null,
      },
    },
    opinionHistory: {
      reply: {
        unit_id: unitId,
        agent_id,
        text: 'I think that Ana likes Lisbon.',
        confidence: 0.9,
        steps: [
          {
            time: '2024-03-02T10:00:00.000Z',
            reason: 'raise',
            text: 'I think that Ana likes Lisbon.',
            confidence: 0.9,
            facts: [{ id: otherUnitId, text: 'Ana likes the sea.' }],
            event: { ...event, sequence: 57, type: 'OpinionRevised', time: '2024-03-02T10:00:00.000Z' },
          },
        ],
        has_more: true,
      },
    },
    correctUnit: {
      body: { text, expected_text: 'Ana moved to Lissabon.' },
      reply: { success: true, unit_id: unitId, agent_id, text, message: 'Memory unit corrected' },
    },
    forgetUnit: {
      reply: { success: true, unit_id: unitId, message: 'Memory unit and all its links deleted successfully' },
    },
    stats: {
      reply: {
        agent_id,
        total_nodes: 3,
        total_links: 4,
        total_documents: 1,
        nodes_by_type: { world: 2, opinion: 1 },
        links_by_type: { temporal: 2, semantic: 1, entity: 1 },
        pending_operations: 0,
        failed_operations: 0,
      },
    },
    listDocuments: {
      reply: {
        items: [
          {
            id: document_id,
            agent_id,
            content_hash: document.content_hash,
            created_at: time,
            updated_at: time,
            memory_unit_count: 1,
            text_length: 31,
          },
        ],
        ...page,
      },
    },
    getDocument: { reply: document },
    deleteDocument: {
      reply: {
        success: true,
        document_id,
        agent_id,
        memory_units_deleted: 1,
        message: 'Document and its 1 memory units deleted successfully',
      },
    },
    listOperations: {
      reply: {
        agent_id,
        operations: [
          {
            id: operationId,
            task_type: 'batch_put',
            items_count: 1,
            document_id,
            created_at: time,
            status: 'failed',
            error_message: 'The language model refused the request',
            attempts: 5,
          },
        ],
      },
    },
    cancelOperation: {
      reply: { success: true, message: `Operation ${operationId} cancelled`, operation_id: operationId, agent_id },
    },
    retryOperation: { reply: { ...operation, status: 'pending', units_created: 0 } },
    operationStatus: { reply: operation },
    listAgents: {
      reply: { agents: [{ ...profile, created_at: time, updated_at: time }], total: 1, next_cursor: null },
    },
    putAgent: { body: { background: 'I plan journeys.' }, reply: profile },
    eraseAgent: {
      reply: {
        success: true,
        agent_id,
        message: 'Agent and its 3 memory units erased',
        memory_units_deleted: 3,
        links_deleted: 4,
        documents_deleted: 1,
        operations_deleted: 2,
        events_erased: 9,
      },
    },
    getProfile: { reply: profile },
    putProfile: {
      body: { personality: { ...defaultPersonality, openness: 0.8 } },
      reply: { ...profile, personality: { ...defaultPersonality, openness: 0.8 } },
    },
    think: {
      body: { agent_id, query: 'Would Ana like a boat trip?' },
      reply: {
        text: 'Yes: Ana likes the sea.',
        based_on: [
          { id: otherUnitId, text: 'Ana likes the sea.', type: 'world', activation: 0.52, context, event_date: date },
        ],
        new_opinions: ['I believe that Ana would enjoy a boat trip.'],
      },
    },
    addBackground: {
      body: { content: 'You love the sea.', update_personality: true },
      reply: { background: 'I plan journeys. I love the sea.', personality: { ...defaultPersonality, openness: 0.6 } },
    },
  };
