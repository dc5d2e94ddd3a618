import { randomUUID } from 'node:crypto';
import { memoryQuery } from '@mneme/contracts';
import { type Client, createClient, type Service, startService } from '@mneme/service-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silent, startTestLog, type TestLog } from '../testing/test-log.ts';
import { forgetUnit } from './commands.ts';

let log: TestLog;
let client: Client;
let query: Service;

const context = { correlationId: 'test' };

beforeAll(async () => {
  log = await startTestLog();
  const { connection } = log;
  client = createClient({ connection });
  query = startService({ connection, name: 'memory-query', version: '0.0.1', logger: silent });
  query.serve(memoryQuery.findUnit, ({ space }) => ({ agentId: space === 'public' ? 'alice' : null }));
});

afterAll(async () => {
  await query?.stop();
  client?.close();
  await log?.stop();
});

const forget = (request: { space: string; unitId: string; onlyAgent?: string }) =>
  forgetUnit({ store: log.store, client }, request, context);

it('forgets a unit of the only agent that the caller may access, and none of another', async () => {
  const unitId = randomUUID();
  await expect(forget({ space: 'public', unitId, onlyAgent: 'bob' })).rejects.toMatchObject({
    code: 'agent-not-allowed',
  });
  expect(await log.store.head()).toBe(0);
  expect(await forget({ space: 'public', unitId, onlyAgent: 'alice' })).toEqual({ position: 'MEMORY:1' });
});

it('does not find a unit of another space', async () => {
  await expect(forget({ space: '7', unitId: randomUUID(), onlyAgent: 'bob' })).rejects.toMatchObject({
    code: 'unit-not-found',
  });
});
