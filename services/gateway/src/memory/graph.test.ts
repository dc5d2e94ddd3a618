import { type Graph, memoryQuery } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';

const fixture = useGateway();
const { http } = fixture;

const fields = {
  id: 'u',
  text: 'x',
  context: null,
  date: '2024-03-01T09:30:00.000Z',
  entities: '',
  label: 'x',
  type: 'world' as const,
  color: '#4e79a7',
};
const graph: Graph = { nodes: [{ ...fields, data: fields }], edges: [], table_rows: [], total_units: 1 };

describe('the graph', () => {
  it('is requested as a whole, or for an agent and a type', async () => {
    fixture.services.answer(memoryQuery.graph, () => graph);
    await fixture.fillLog('MEMORY', 7);
    const { status, body } = await http('GET', '/api/graph');
    expect([status, body]).toEqual([200, graph]);
    await http('GET', '/api/graph?agent_id=ana&fact_type=opinion', {
      headers: { 'x-min-event-position': 'MEMORY:7' },
    });
    expect(fixture.asked(memoryQuery.graph)).toEqual([
      { space: 'public', limit: 1_000, edgeLimit: 5_000 },
      { space: 'public', agentId: 'ana', factType: 'opinion', minSequence: 7, limit: 1_000, edgeLimit: 5_000 },
    ]);
  });

  it('says in a header up to where it is complete, when the service does', async () => {
    fixture.services.answer(memoryQuery.graph, () => ({ ...graph, asOf: 'MEMORY:41' }));
    const { status, body, headers } = await http('GET', '/api/graph');
    expect([status, body, headers['x-as-of-position']]).toEqual([200, graph, 'MEMORY:41']);
  });

  it.each([
    ['fact_type=rumour', ['query', 'fact_type']],
    ['agent_id=', ['query', 'agent_id']],
  ])('is 422 with %s', async (query, loc) => {
    const { status, body } = await http('GET', `/api/graph?${query}`);
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
  });
});
