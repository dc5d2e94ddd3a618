import { randomUUID } from 'node:crypto';
import type { BatchPutAsyncReply, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { type EventLog, openEventLog } from '../system/event-log.ts';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
let log: EventLog;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  log = await openEventLog(system.stack.natsUrl);
  return async () => {
    await log.close();
    await system.stop();
  };
});

const batchOf = (agent_id: string) => ({ agent_id, items: [{ content: 'Crate C1 holds lemons.' }] });

function submit(body: unknown, key: string, call = 'batch_async') {
  return system.http.post<BatchPutAsyncReply>(`/api/memories/${call}`, body, { 'idempotency-key': key });
}

test.each(['batch', 'batch_async'])(
  'the same key gives the first answer of %s again and appends nothing',
  async (call) => {
    const key = randomUUID();
    const first = await submit(batchOf(`again-${call}`), key, call);
    await system.http.post('/api/memories/batch', batchOf('between'));
    const head = await log.head();
    for (let round = 0; round < 3; round++) {
      const again = await submit(batchOf(`again-${call}`), key, call);
      expect(again.status).toBe(200);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('x-event-position')).toBe(first.headers.get('x-event-position'));
    }
    expect(await log.head()).toBe(head);
  },
);

test('the same key ten times at once stores one batch', async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit(batchOf('at-once'), key, 'batch')));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const units = await system.http.get<UnitList>('/api/list?agent_id=at-once');
  expect(units.body.total).toBe(1);
});

test('the same key with another body is 409, and nothing is recorded', async () => {
  const key = randomUUID();
  await submit(batchOf('first'), key, 'batch');
  const head = await log.head();
  const answer = await submit(batchOf('second'), key, 'batch');
  expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await log.head()).toBe(head);
});

test('a key counts for its own path alone', async () => {
  const key = randomUUID();
  await submit(batchOf('path-a'), key, 'batch');
  const other = await submit(batchOf('path-a'), key, 'batch_async');
  expect(other).toMatchObject({ status: 200, body: { queued: true } });
});

test('a refused body does not use up its key', async () => {
  const key = randomUUID();
  expect((await submit({ agent_id: 'mended' }, key, 'batch')).status).toBe(422);
  expect((await submit(batchOf('mended'), key, 'batch')).status).toBe(200);
});

test.each(['', 'a b', 'x'.repeat(256)])('the key %.10j is 400', async (key) => {
  const head = await log.head();
  const answer = await submit(batchOf('bad-key'), key);
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  const types = (await log.after(head)).map((event) => event.header('ce-type'));
  expect(types).not.toContain('BatchSubmitted');
});
