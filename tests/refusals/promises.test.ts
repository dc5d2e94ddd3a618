import { randomUUID } from 'node:crypto';
import type { BatchPutAsyncReply, UnitList } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';
import type { EventLog } from '../system/stores/event-log.ts';

let http: HttpClient;
let log: EventLog;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  log = await system.openLog();
  return system.release;
});

const batchOf = (agent_id: string) => ({ agent_id, items: [{ content: 'Crate C1 holds lemons.' }] });

describe('the same Idempotency-Key', () => {
  const submit = (body: unknown, key: string, kind: string) => {
    return http.post<BatchPutAsyncReply>(`/api/memories/${kind}`, body, { 'idempotency-key': key });
  };

  test.each(['batch', 'batch_async'])('gives the first answer of %s again and appends nothing', async (kind) => {
    const key = randomUUID();
    const first = await submit(batchOf(`again-${kind}`), key, kind);
    await http.post('/api/memories/batch', batchOf('between'));
    const head = await log.head();
    for (let round = 0; round < 3; round++) {
      const again = await submit(batchOf(`again-${kind}`), key, kind);
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers.get('x-event-position')).toBe(first.headers.get('x-event-position'));
    }
    expect((await submit(batchOf('another'), key, kind)).status).toBe(409);
    expect(await log.head()).toBe(head);
  });

  test('ten times at once stores one batch', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(batchOf('at-once'), key, 'batch')));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await http.get<UnitList>('/api/list?agent_id=at-once')).body.total).toBe(1);
  });
});

describe('a read with X-Min-Event-Position', () => {
  test('sees what was written up to there, 50 times of 50', async () => {
    for (let count = 1; count <= 50; count++) {
      const batch = { agent_id: 'seen', items: [{ content: `Crate C${count} holds lemons.` }] };
      const stored = await http.post('/api/memories/batch', batch);
      const position = stored.headers.get('x-event-position') ?? '';
      const listed = await http.get<UnitList>('/api/list?agent_id=seen', { 'x-min-event-position': position });
      expect(listed.body.total).toBe(count);
    }
  });

  test('ahead of the log is 400 at once, whatever is read', async () => {
    const headers = { 'x-min-event-position': 'MEMORY:1000000' };
    const paths = ['list', 'agents', 'documents?agent_id=a', 'documents/d?agent_id=a', 'stats/a', 'operations/a'];
    const begin = performance.now();
    const answers = await Promise.all([
      ...[...paths, `operations/${randomUUID()}/status`].map((path) => http.get(`/api/${path}`, headers)),
      http.post('/api/search', { query: 'x' }, headers),
    ]);
    const tookMs = performance.now() - begin;
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(tookMs).toBeLessThan(4_000);
  });
});

test('a request id is sent back and stands in the events', async () => {
  const [head, id] = [await log.head(), 'A_b.c-9'];
  const answer = await http.post('/api/memories/batch', batchOf('traced'), { 'x-request-id': id });
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, id]);
  const events = await log.after(head);
  expect(events.map((event) => event.header('ce-type'))).toEqual(
    expect.arrayContaining(['BatchSubmitted', 'FactsExtracted']),
  );
  for (const event of events) expect(event.header('correlation-id')).toBe(id);
});
