import { setTimeout as pause } from 'node:timers/promises';
import type { BatchPutAsyncReply, OperationStatus, UnitList } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { type System, startSystem } from '../system/start-system.ts';

const rounds = scaled({ full: 50, short: 8 });
const itemsPerBatch = 20;
/** Takes a while to read and makes one unit. */
const slowContent = 'word '.repeat(10_000);
const crates = Array.from({ length: itemsPerBatch }, (_, index) => ({ content: `Crate C${index} holds lemons.` }));

let system: System;
beforeAll(async () => {
  // One batch at a time, so that a cancel also comes while its batch waits behind another one.
  system = await startSystem({ processes: 'one', environment: { INGEST_CONCURRENCY: '1' } });
  return system.stop;
});

test('a batch cancelled at a random moment is stored in full or not at all, and the reply says which', async () => {
  const outcomes = { cancelled: 0, tooLate: 0 };
  const usualMs = await measureBatch();
  for (let round = 0; round < rounds; round++) {
    const agentId = `cancel-${round}`;
    await submitSlow();
    const id = await submit(agentId);
    // Not to wait for something, but to hit any moment of the work; some of them come at once.
    await pause(round % 5 === 0 ? 0 : Math.random() * usualMs);
    const reply = await system.http.delete(`/api/operations/${id}`);
    const settled = await settledStatus(id);
    const units = await system.http.get<UnitList>(`/api/list?agent_id=${agentId}`);
    const found = await system.http.post('/api/search', { agent_id: agentId, query: 'lemons' });
    if (reply.status === 200) {
      outcomes.cancelled += 1;
      const message = `Operation ${id} cancelled`;
      expect(reply.body).toEqual({ success: true, message, operation_id: id, agent_id: agentId });
      expect({ status: settled.status, total: units.body.total }).toEqual({ status: 'cancelled', total: 0 });
      expect(found.body.results).toEqual([]);
    } else {
      outcomes.tooLate += 1;
      expect(reply).toMatchObject({ status: 404, body: { message: `Operation ${id} not found` } });
      expect({ status: settled.status, total: units.body.total }).toEqual({
        status: 'completed',
        total: itemsPerBatch,
      });
      expect(found.body.results.length).toBeGreaterThan(0);
    }
  }
  expect(outcomes.cancelled + outcomes.tooLate).toBe(rounds);
  expect(outcomes.cancelled).toBeGreaterThan(0);
});

/** How long a batch behind another one takes from its submission until it is stored, in milliseconds. */
async function measureBatch(): Promise<number> {
  await submitSlow();
  const begin = performance.now();
  await settledStatus(await submit('measured'));
  return performance.now() - begin;
}

function submitSlow(): Promise<string> {
  return submit('in-front', [{ content: slowContent }]);
}

async function submit(agent_id: string, items: readonly { content: string }[] = crates): Promise<string> {
  const { body } = await system.http.post<BatchPutAsyncReply>('/api/memories/batch_async', { agent_id, items });
  return body.operation_id;
}

function settledStatus(id: string): Promise<OperationStatus> {
  return eventually(`operation ${id} is settled`, async () => {
    const { body } = await system.http.get<OperationStatus>(`/api/operations/${id}/status`);
    return (body.status === 'completed' || body.status === 'cancelled') && body;
  });
}
