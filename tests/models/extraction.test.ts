import type { OperationList, UnitList } from '@mneme/contracts';
import { atFullLength } from '@mneme/local-stack/testing';
import type { ModelFault } from '@mneme/models/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { useModelSystem } from './model-system.ts';

const moved = {
  facts: [
    {
      text: 'Ana moved to Lisbon on 4 May 2026 because of her new job.',
      type: 'world',
      date: '2026-05-04',
      entities: [
        { name: 'Ana', type: 'PERSON' },
        { name: 'Lisbon', type: 'PLACE' },
      ],
    },
  ],
};
const items = [{ content: 'Ana: I moved to Lisbon yesterday.', event_date: '2026-05-05T10:00:00+02:00' }];

const fixture = useModelSystem();

const store = (agent_id: string, more: object = {}) =>
  fixture.system.http.post('/api/memories/batch', { agent_id, items, ...more });
const units = async (agentId: string) =>
  (await fixture.system.http.get<UnitList>(`/api/list?agent_id=${agentId}`)).body;
const operations = async (agentId: string) =>
  (await fixture.system.http.get<OperationList>(`/api/operations/${agentId}`)).body.operations;

test('the model says what an item holds', async () => {
  fixture.model.replies.next('extract', { json: moved });
  expect((await store('ana')).status).toBe(200);
  expect((await units('ana')).items).toEqual([
    expect.objectContaining({
      text: moved.facts[0]?.text,
      date: '2026-05-04T10:00:00.000Z',
      fact_type: 'world',
      entities: 'Ana (PERSON), Lisbon (PLACE)',
    }),
  ]);
});

test.each([{ fault: 'broken-json' }, { fault: 'wrong-form' }] as const)(
  'an answer of another form is repaired: %j',
  async (fault) => {
    fixture.model.replies.next('extract', fault, { json: moved });
    expect((await store(`repaired-${fault.fault}`)).status).toBe(200);
    expect((await units(`repaired-${fault.fault}`)).total).toBe(1);
  },
);

test('an item without facts is stored without any', async () => {
  fixture.model.replies.next('extract', { json: { facts: [] } });
  expect((await store('silent', { document_id: 'note' })).status).toBe(200);
  const { body } = await fixture.system.http.get('/api/documents/note?agent_id=silent');
  expect([body.original_text, body.memory_unit_count]).toEqual([items[0]?.content, 0]);
});

describe('a batch that fails', () => {
  const failures: readonly [ModelFault, RegExp][] = [
    [{ fault: 'broken-json' }, /not valid JSON/],
    [{ fault: 'wrong-form' }, /does not have the form/],
    [{ fault: 'refusal' }, /refuse/],
    [{ fault: 'content-filter' }, /refuse|filter/i],
    [{ fault: 'truncated' }, /cut|too long|longer/i],
    [{ fault: 'empty' }, /empty/],
    [{ fault: 'unauthorized' }, /Check the API key/],
    [{ fault: 'quota' }, /quota/],
  ];

  test.each(failures)('is listed with what to do, and stores nothing by halves: %j', async (fault, message) => {
    const agent = `failed-${fault.fault}`;
    const two = { items: [{ content: 'Bob plays the cello.' }, ...items], document_id: 'chat' };
    fixture.model.replies.always(/I moved to Lisbon yesterday/, fault);
    const { status, body } = await store(agent, two);
    expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body.message).toMatch(message);
    expect(body.message).toContain('Item 2 of 2');
    expect(await operations(agent)).toMatchObject([
      { id: body.operation_id, status: 'failed', error_message: body.message, items_count: 2, document_id: 'chat' },
    ]);
    expect((await units(agent)).total).toBe(0);
    const documents = await fixture.system.http.get(`/api/documents?agent_id=${agent}`);
    expect(documents.body.total).toBe(0);
  });

  test('can be tried again, and dismissed', async () => {
    fixture.model.replies.next('extract', { fault: 'refusal' });
    const { operation_id } = (await store('again')).body;
    fixture.model.replies.always('extract', { json: moved });
    expect((await fixture.system.http.post(`/api/operations/${operation_id}/retry`, {})).status).toBe(200);
    await eventually('its facts are stored', async () => (await units('again')).total === 1);
    expect(await operations('again')).toEqual([]);
    fixture.model.replies.next('extract', { fault: 'refusal' });
    const other = (await store('again')).body.operation_id;
    expect((await fixture.system.http.delete(`/api/operations/${other}`)).status).toBe(200);
    expect(await operations('again')).toEqual([]);
  });
});

describe('a model that fails for a while', () => {
  test.each([
    ['server-error', { fault: 'server-error' }],
    ['rate-limit', { fault: 'rate-limit', retryAfter: '1' }],
    ['stall', { fault: 'stall' }],
    ['disconnect', { fault: 'disconnect' }],
  ] as const)('is asked again, and its batch stored once (%s)', async (name, fault) => {
    fixture.model.replies.next('extract', fault, fault, { json: moved });
    expect((await store(`late-${name}`)).status).toBe(200);
    expect((await units(`late-${name}`)).total).toBe(1);
  });

  test.runIf(atFullLength)('too long, fails the batch with its reason', async () => {
    fixture.model.replies.always('embed', { fault: 'server-error' });
    const { status, body } = await store('never');
    expect([status, body.message]).toEqual([500, expect.stringMatching(/the server has failed/)]);
    expect(await operations('never')).toMatchObject([{ status: 'failed', attempts: 5 }]);
  });
});
