import { randomUUID } from 'node:crypto';
import { memoryIngest, memoryQuery, memorySubjects, WireError } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';

/** Without it, a gateway can only give its own answers again. */
const shared = { SECRETS_KEY: '5'.repeat(64) };

let count = 0;
let key: string;

const fixture = useGateway(shared);
const { http } = fixture;
beforeEach(() => {
  count += 1;
  key = `key-${count}`;
});

const batch = { agent_id: 'ana', items: [{ content: 'Ana moved to Lisbon.' }] };
const post = (path: string, body: unknown) => http('POST', path, { body, headers: { 'idempotency-key': key } });
const postAsync = (body: unknown = batch) => post('/api/memories/batch_async', body);
const recorded = async (operationId: string) =>
  (await fixture.store.load(memorySubjects.anyOperation(operationId))).events.length;

describe('the same key again', () => {
  it('repeats the first answer and appends nothing', async () => {
    const first = await postAsync();
    const head = await fixture.store.head();
    const again = await postAsync();
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers['x-event-position']).toBe(first.headers['x-event-position']);
    expect(await fixture.store.head()).toBe(head);
  });

  it('does so at another gateway too', async () => {
    const first = await postAsync();
    const other = await fixture.startAnother(shared);
    const options = { body: batch, headers: { 'idempotency-key': key } };
    expect((await other.http('POST', '/api/memories/batch_async', options)).text).toBe(first.text);
  });

  it('ten times concurrently appends one batch and gives one answer', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => postAsync()));
    const ids = new Set(replies.map(({ status, body }) => `${status} ${body.operation_id}`));
    expect(ids.size).toBe(1);
    expect(await recorded(replies[0]?.body.operation_id)).toBe(1);
  });

  it('with another body is 409', async () => {
    await postAsync();
    const { status, body } = await postAsync({ ...batch, agent_id: 'bob' });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });

  it('about another agent in the query is 409', async () => {
    fixture.services.answer(memoryIngest.correctUnit, () => ({ agentId: 'ana', position: null }));
    const path = `/api/memory/${randomUUID()}`;
    const options = { body: { text: 'Tea.' }, headers: { 'idempotency-key': key } };
    const correct = (agent: string) => http('PATCH', `${path}?agent_id=${agent}`, options);
    expect((await correct('ana')).status).toBe(200);
    const { status, body } = await correct('bob');
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect((await correct('ana')).headers['idempotency-replayed']).toBe('true');
  });

  it('on another path is another request', async () => {
    const { body } = await postAsync();
    const search = await post('/api/search', { query: 'x' });
    expect([search.status, search.body]).toEqual([200, { results: [], trace: null }]);
    expect(body.operation_id).toBeDefined();
  });

  it('repeats a refusal, which is an answer too', async () => {
    const refused = await post('/api/search', { query: 'x', fact_type: ['rumour'] });
    const again = await post('/api/search', { query: 'x', fact_type: ['rumour'] });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([again.status, again.text]).toEqual([400, refused.text]);
    expect(again.headers['content-type']).toBe('application/problem+json');
  });
});

describe('an answer that is not final is not kept', () => {
  it('a failure of a service', async () => {
    fixture.services.answer(memoryQuery.search, () => {
      throw new WireError({ status: 503, code: 'UNAVAILABLE', message: 'away' });
    });
    expect((await post('/api/search', { query: 'x' })).status).toBe(503);
    fixture.services.answer(memoryQuery.search, () => ({ results: [], trace: null }));
    expect((await post('/api/search', { query: 'x' })).status).toBe(200);
  });

  it('a conflict that asks to try again', async () => {
    fixture.services.answer(memoryQuery.search, () => {
      throw new WireError({ status: 409, code: 'CONFLICT', message: 'Try again', extra: { retry_after: 1 } });
    });
    const refused = await post('/api/search', { query: 'x' });
    expect([refused.status, refused.headers['retry-after'], refused.body.retry_after]).toEqual([409, '1', undefined]);
    fixture.services.answer(memoryQuery.search, () => ({ results: [], trace: null }));
    expect((await post('/api/search', { query: 'x' })).status).toBe(200);
  });

  it('an invalid request', async () => {
    expect((await postAsync({})).status).toBe(422);
    expect((await postAsync()).status).toBe(200);
  });

  it('a batch that is still running: the repeat waits for the same operation, and submits nothing', async () => {
    const impatient = await fixture.startAnother({ SYNC_TIMEOUT_MS: '50' });
    fixture.services.answer(memoryQuery.awaitOperation, () => ({ settled: false, position: null, operation: null }));
    const options = { body: batch, headers: { 'idempotency-key': key } };
    const first = await impatient.http('POST', '/api/memories/batch', options);
    const again = await impatient.http('POST', '/api/memories/batch', options);
    expect([first.status, again.status]).toEqual([504, 504]);
    expect(again.body.operation_id).toBe(first.body.operation_id);
    expect(await recorded(first.body.operation_id)).toBe(1);
  });

  it('an answer that is too large for a message: the read is carried out again', async () => {
    const size = 9 * 1024 * 1024;
    const large = {
      id: 'x',
      text: 'x'.repeat(size),
      type: null,
      activation: null,
      context: null,
      event_date: null,
      score: 1,
      document_id: null,
      entities: '',
    };
    fixture.services.answer(memoryQuery.search, () => ({ results: [large], trace: null }));
    for (let run = 0; run < 2; run += 1) {
      const { status, headers, text } = await post('/api/search', { query: 'x' });
      expect([status, text.length > size, headers['idempotency-replayed']]).toEqual([200, true, undefined]);
    }
  });
});

describe('a key', () => {
  it.each(['', 'a b', 'ü', 'x'.repeat(256), 'a\tb'])(
    'that is not 1 to 255 visible ASCII characters is 400: %j',
    async (given) => {
      const before = await fixture.store.head();
      const { status, body } = await http('POST', '/api/memories/batch_async', {
        body: batch,
        headers: { 'idempotency-key': given },
      });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(await fixture.store.head()).toBe(before);
    },
  );

  it.each(['!', '~"{}', '*.>', 'x'.repeat(255)])('may be %s', async (given) => {
    const options = { body: batch, headers: { 'idempotency-key': given } };
    expect((await http('POST', '/api/memories/batch_async', options)).status).toBe(200);
  });
});
