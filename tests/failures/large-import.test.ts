import type { BatchPutAsyncReply, OperationStatus } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { neighbourOf } from '../system/neighbour.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});

const importer = 'large-import';
const batches = scaled({ full: 32, short: 20 });
const itemsPerBatch = scaled({ full: 500, short: 150 });

async function submit(batch: number): Promise<string> {
  const content = (item: number) => `Crate C${batch}-${item} holds lemons.`;
  const items = Array.from({ length: itemsPerBatch }, (_, item) => ({ content: content(item) }));
  const { body } = await system.http.post<BatchPutAsyncReply>('/api/memories/batch_async', {
    agent_id: importer,
    items,
  });
  return body.operation_id;
}

async function statusOf(operation: string): Promise<OperationStatus> {
  return (await system.http.get<OperationStatus>(`/api/operations/${operation}/status`)).body;
}

test('an import does not hold up another agent of its lane', async () => {
  const operations: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) operations.push(await submit(batch));
  const [first = '', last = ''] = [operations.at(0), operations.at(-1)];
  await eventually('the first batch is stored', async () => (await statusOf(first)).status === 'completed');
  const agent_id = neighbourOf(importer);
  const stored = await system.http.post('/api/memories/batch', { agent_id, items: [{ content: 'Bob has a cello.' }] });
  expect(stored.status).toBe(200);
  expect(await statusOf(last)).not.toMatchObject({ status: 'completed' });
  await eventually('the last batch is stored', async () => (await statusOf(last)).status === 'completed');
  for (const operation of operations) expect(await statusOf(operation)).toMatchObject({ units_created: itemsPerBatch });
});
