import { type MemoryEventOf, memoryQuery, memorySubjects, type OperationStatus, WireError } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { operationReply } from '../testing/memory-replies.ts';

const fixture = useGateway();
const { http } = fixture;

const batch = { agent_id: 'ana', items: [{ content: 'Ana moved to Lisbon.' }] };
const postAsync = (body: unknown, headers = {}) => http('POST', '/api/memories/batch_async', { body, headers });
const postSync = (body: unknown, headers = {}) => http('POST', '/api/memories/batch', { body, headers });

async function submitted(operationId: string): Promise<MemoryEventOf<'BatchSubmitted'>['data'][]> {
  const { events } = await fixture.store.load(memorySubjects.anyOperation(operationId));
  return events.map((event) => event.data as MemoryEventOf<'BatchSubmitted'>['data']);
}

const unit = { id: '019a9f6e-0000-7000-8000-000000000001', text: 'Ana moved to Lisbon.', type: 'world' } as const;

/** What memory-query answers once the operation has come to this. */
function settles(status: OperationStatus['status'], errorMessage: string | null = null): void {
  fixture.services.answer(memoryQuery.awaitOperation, ({ operationId }) => ({
    settled: true,
    position: 'MEMORY:77',
    items: status === 'completed' ? [{ units: [unit] }] : null,
    operation: operationReply({ id: operationId, status, error_message: errorMessage }),
  }));
}

describe('an asynchronous batch', () => {
  it('is answered once it is in the event log, as one event', async () => {
    const before = await fixture.store.head();
    const { status, headers, body } = await postAsync({ ...batch, document_id: 'd1' }, { 'x-request-id': 'r-1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      queued: true,
      agent_id: 'ana',
      document_id: 'd1',
      items_count: 1,
      message: 'Batch put task queued for background processing (1 items)',
      operation_id: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(headers['x-event-position']).toBe(`MEMORY:${before + 1}`);
    expect(await submitted(body.operation_id)).toEqual([
      {
        space: 'public',
        agentId: 'ana',
        operationId: body.operation_id,
        part: 0,
        parts: 1,
        documentId: 'd1',
        itemsCount: 1,
        isAsync: true,
        items: [{ content: 'Ana moved to Lisbon.', eventDate: null, context: null }],
      },
    ]);
    const { events } = await fixture.store.load(memorySubjects.anyOperation(body.operation_id));
    expect(events[0]?.correlationId).toBe('r-1');
  });

  it('is accepted while the memory services are away', async () => {
    await fixture.services.stop('memory-ingest');
    await fixture.services.stop('memory-query');
    const { status } = await postAsync(batch);
    await fixture.services.start('memory-ingest');
    await fixture.services.start('memory-query');
    expect(status).toBe(200);
  });

  it('that does not fit into one message is one atomic batch of parts', async () => {
    const items = Array.from({ length: 55 }, (_, index) => ({ content: `${index} ${'x'.repeat(200_000)}` }));
    const small = await fixture.startAnother({ BODY_LIMIT: String(12 * 1024 * 1024) });
    const big = { agent_id: 'ana', items };
    const { status, headers, body } = await small.http('POST', '/api/memories/batch_async', { body: big });
    expect(status).toBe(200);
    const parts = await submitted(body.operation_id);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ part, parts: count }) => [part, count])).toEqual(parts.map((_, part) => [part, parts.length]));
    expect(parts.flatMap((part) => part.items.map(({ content }) => content))).toEqual(
      big.items.map(({ content }) => content),
    );
    expect(headers['x-event-position']).toBe(`MEMORY:${await fixture.store.head()}`);
  });

  it('of which several large ones arrive at once is recorded in its turn', async () => {
    const items = [{ content: 'x'.repeat(2 * 1024 * 1024) }];
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((agent_id) => postAsync({ agent_id, items })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const recorded = await Promise.all(replies.map(({ body }) => submitted(body.operation_id)));
    expect(recorded.map(([batch]) => [batch?.agentId, batch?.items[0]?.content.length])).toEqual(
      ['a', 'b', 'c', 'd'].map((agent) => [agent, 2 * 1024 * 1024]),
    );
    const sequences = replies.map(({ headers }) => headers['x-event-position']);
    expect(new Set(sequences).size).toBe(4);
  });

  it('with one item that does not fit into a message is 413, and nothing is recorded', async () => {
    const wide = await fixture.startAnother({ BODY_LIMIT: String(12 * 1024 * 1024) });
    const before = await fixture.store.head();
    const items = [{ content: 'small' }, { content: 'x'.repeat(9 * 1024 * 1024) }];
    const { status, body } = await wide.http('POST', '/api/memories/batch_async', { body: { agent_id: 'ana', items } });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await fixture.store.head()).toBe(before);
  });

  it.each([
    ['2023-05-08T13:56:00+02:00', '2023-05-08T13:56:00.000+02:00'],
    ['2023-05-08T13:56:00', '2023-05-08T13:56:00.000Z'],
    ['2023-05-08', '2023-05-08T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
    [null, null],
  ])('keeps the date %s with its offset', async (event_date, expected) => {
    const { body } = await postAsync({ agent_id: 'ana', items: [{ content: 'x', event_date, context: null }] });
    expect((await submitted(body.operation_id))[0]?.items[0]?.eventDate).toBe(expected);
  });

  it('without items stores nothing, and leaves the document alone', async () => {
    const { status, body } = await postAsync({ agent_id: 'ana', items: [], document_id: 'd1' });
    expect([status, body.items_count, body.document_id]).toEqual([200, 0, 'd1']);
    expect(await submitted(body.operation_id)).toMatchObject([{ items: [], documentId: null }]);
  });

  it('records the role and the metadata of an item, and whether it is appended', async () => {
    const details = { role: 'user', metadata: { session: 's1', tags: ['a', 'b'], n: 1.5, no: null, yes: true } };
    const items = [{ content: 'x', ...details }, { content: 'y' }];
    const { body } = await postAsync({ agent_id: 'ana', items, document_id: 'chat', mode: 'append' });
    const common = { eventDate: null, context: null };
    const recorded = [
      { content: 'x', ...common, ...details },
      { content: 'y', ...common },
    ];
    expect(await submitted(body.operation_id)).toMatchObject([{ documentId: 'chat', mode: 'append', items: recorded }]);
    expect((await submitted(body.operation_id))[0]?.items).toEqual(recorded);
  });

  it('of 1000 items is accepted', async () => {
    const items = Array.from({ length: 1000 }, (_, index) => ({ content: `fact ${index}` }));
    expect((await postAsync({ agent_id: 'ana', items })).body.items_count).toBe(1000);
  });
});

describe('an invalid batch', () => {
  const many = Array.from({ length: 1001 }, () => ({ content: 'x' }));
  const cases: [name: string, body: unknown, loc: (string | number)[], type: string][] = [
    ['no agent', { items: [] }, ['body', 'agent_id'], 'missing'],
    ['no items', { agent_id: 'ana' }, ['body', 'items'], 'missing'],
    ['an agent that is a number', { agent_id: 1, items: [] }, ['body', 'agent_id'], 'string_type'],
    ['an empty agent id', { agent_id: '', items: [] }, ['body', 'agent_id'], 'string_too_short'],
    ['items as text', { agent_id: 'ana', items: 'Bob' }, ['body', 'items'], 'list_type'],
    ['items as an object', { agent_id: 'ana', items: { 0: { content: 'x' } } }, ['body', 'items'], 'list_type'],
    ['items null', { agent_id: 'ana', items: null }, ['body', 'items'], 'list_type'],
    ['1001 items', { agent_id: 'ana', items: many }, ['body', 'items'], 'too_long'],
    ['no content', { agent_id: 'ana', items: [{}] }, ['body', 'items', 0, 'content'], 'missing'],
    [
      'a number as content',
      { agent_id: 'ana', items: [{ content: 1 }] },
      ['body', 'items', 0, 'content'],
      'string_type',
    ],
    [
      'blank content',
      { agent_id: 'ana', items: [{ content: ' \n\t\u00a0' }] },
      ['body', 'items', 0, 'content'],
      'value_error',
    ],
    ['empty content', { agent_id: 'ana', items: [{ content: '' }] }, ['body', 'items', 0, 'content'], 'value_error'],
    ['an item as text', { agent_id: 'ana', items: ['x'] }, ['body', 'items', 0], 'model_attributes_type'],
    [
      'a number as date',
      { agent_id: 'ana', items: [{ content: 'x', event_date: 5 }] },
      ['body', 'items', 0, 'event_date'],
      'string_type',
    ],
    [
      'a number as context',
      { agent_id: 'ana', items: [{ content: 'x', context: 7 }] },
      ['body', 'items', 0, 'context'],
      'string_type',
    ],
    [
      'an empty document id',
      { agent_id: 'ana', items: [], document_id: '' },
      ['body', 'document_id'],
      'string_too_short',
    ],
    ['a number as document', { agent_id: 'ana', items: [], document_id: 5 }, ['body', 'document_id'], 'string_type'],
    [
      'a long document id',
      { agent_id: 'ana', items: [], document_id: 'x'.repeat(1025) },
      ['body', 'document_id'],
      'string_too_long',
    ],
  ];
  const noDates = [
    'tomorrow',
    '2023-02-30',
    '2023-13-01',
    '10000-01-01',
    '0000-01-01',
    '',
    '1683554160',
    '2023-02-03T25:00',
    '+010000-01-01',
  ];
  for (const event_date of noDates) {
    const body = { agent_id: 'ana', items: [{ content: 'x', event_date }] };
    cases.push([`the date '${event_date}'`, body, ['body', 'items', 0, 'event_date'], 'datetime_parsing']);
  }

  it.each(cases)('with %s is 422, and nothing is recorded', async (_name, body, loc, type) => {
    const before = await fixture.store.head();
    for (const path of ['/api/memories/batch', '/api/memories/batch_async']) {
      const reply = await http('POST', path, { body });
      expect(reply.status).toBe(422);
      expect(reply.body.detail).toMatchObject([{ loc, type }]);
    }
    expect(await fixture.store.head()).toBe(before);
  });
});

describe('a synchronous batch', () => {
  it('is answered when it is completed, with the position that completed it', async () => {
    settles('completed');
    const { status, headers, body } = await postSync(batch);
    expect([status, headers['x-event-position']]).toEqual([200, 'MEMORY:77']);
    expect(body).toEqual({
      success: true,
      message: 'Successfully stored 1 memory items',
      agent_id: 'ana',
      document_id: null,
      items_count: 1,
      operation_id: expect.stringMatching(/^[\da-f-]{36}$/),
      items: [{ units: [unit] }],
    });
  });

  it('keeps waiting while it is not settled, and while memory-query is away', async () => {
    await fixture.services.stop('memory-query');
    const waiting = postSync(batch);
    let asked = 0;
    fixture.services.answer(memoryQuery.awaitOperation, () => {
      asked += 1;
      if (asked > 1) settles('completed');
      return { settled: false, position: null, operation: null };
    });
    await fixture.services.start('memory-query');
    expect((await waiting).status).toBe(200);
    expect(asked).toBe(2);
  });

  it('that fails is 500 with the reason and the operation', async () => {
    settles('failed', 'The model did not answer');
    const { status, body } = await postSync(batch);
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR', message: 'The model did not answer' });
    expect(await submitted(body.operation_id)).toHaveLength(1);
  });

  it('whose agent waits for an operator is 504 soon, and says that it is recorded', { timeout: 20_000 }, async () => {
    fixture.services.answer(memoryQuery.awaitOperation, () => {
      const message = 'Event 5 (FactsExtracted) could not be applied here, and waits for an operator';
      throw new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message, extra: { waiting_event: 5 } });
    });
    const { status, body } = await postSync(batch);
    expect([status, body.code]).toEqual([504, 'TIMEOUT']);
    expect(body.message).toMatch(/^The batch is recorded as operation .* Event 5 .* waits for an operator$/);
    expect(await submitted(body.operation_id)).toHaveLength(1);
  });

  it('that is cancelled meanwhile is 409', async () => {
    settles('cancelled');
    const { status, body } = await postSync(batch);
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });

  it('that is erased meanwhile with its agent is 409', async () => {
    fixture.services.answer(memoryQuery.awaitOperation, () => ({ settled: true, position: null, operation: null }));
    const { status, body } = await postSync(batch);
    expect([status, body.code, body.message]).toEqual([409, 'CONFLICT', 'The batch was erased with its agent']);
    const [asked] = fixture.services.requestsTo(memoryQuery.awaitOperation);
    expect(asked?.request).toMatchObject({ submittedSequence: await fixture.store.head() });
  });

  it('that takes longer than the server waits is 504 and names the operation, which continues', async () => {
    const impatient = await fixture.startAnother({ SYNC_TIMEOUT_MS: '150' });
    fixture.services.answer(memoryQuery.awaitOperation, () => ({ settled: false, position: null, operation: null }));
    const { status, body } = await impatient.http('POST', '/api/memories/batch', { body: batch });
    expect([status, body.code]).toEqual([504, 'TIMEOUT']);
    expect(await submitted(body.operation_id)).toHaveLength(1);
  });

  it('is waited for no longer than the caller prefers', async () => {
    fixture.services.answer(memoryQuery.awaitOperation, () => ({ settled: false, position: null, operation: null }));
    for (const prefer of ['wait=0', 'respond-async, wait=1; x']) {
      const { status, body } = await postSync(batch, { prefer });
      expect([status, body.code]).toEqual([504, 'TIMEOUT']);
      expect(await submitted(body.operation_id)).toHaveLength(1);
    }
    settles('completed');
    for (const prefer of ['wait=-1', 'wait=soon', 'wait', 'nonsense', 'wait=999999']) {
      expect((await postSync(batch, { prefer })).status).toBe(200);
    }
  });

  it('that waits when the gateway stops is answered before it ends', async () => {
    const stopping = await fixture.startAnother({});
    const asked = Promise.withResolvers<void>();
    fixture.services.answer(memoryQuery.awaitOperation, (_request, { signal }) => {
      asked.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason));
      return promise;
    });
    const waiting = stopping.http('POST', '/api/memories/batch', { body: batch });
    await asked.promise;
    await stopping.stop(100);
    const { status, body } = await waiting;
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  });
});

describe('an event log out of reach', () => {
  it('is 503 with a time to try again, for batches of both kinds', async () => {
    await fixture.stack.servers.nats.kill('SIGKILL');
    for (const { status, headers, body } of await Promise.all([postAsync(batch), postSync(batch)])) {
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(headers['retry-after']).toBeDefined();
    }
    const ready = await http('GET', '/readyz');
    expect([ready.status, ready.body.checks.nats]).toEqual([503, 'unavailable']);
    await fixture.stack.servers.nats.start();
    await expect.poll(async () => (await postAsync(batch)).status, { timeout: 20_000, interval: 200 }).toBe(200);
  });
});
