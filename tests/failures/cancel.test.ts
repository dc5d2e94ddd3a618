import { setTimeout as pause } from 'node:timers/promises';
import type { BatchPutAsyncReply, OperationStatus, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { type System, startSystem } from '../system/start-system.ts';

const rounds = 50;
const itemsPerBatch = 20;
/** Longer than a batch of this size usually takes, so that some cancels come too late. */
const latestCancelMs = 60;

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  return system.stop;
});

test('a batch cancelled at a random moment is stored in full or not at all, and the reply says which', async () => {
  const outcomes = { cancelled: 0, tooLate: 0 };
  for (let round = 0; round < rounds; round++) {
    const agentId = `cancel-${round}`;
    const id = await submit(agentId);
    // Not to wait for something, but to hit any moment of the work.
    await pause(Math.random() * latestCancelMs);
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

async function submit(agentId: string): Promise<string> {
  const items = Array.from({ length: itemsPerBatch }, (_, index) => ({ content: `Crate C${index} holds lemons.` }));
  const { body } = await system.http.post<BatchPutAsyncReply>('/api/memories/batch_async', {
    agent_id: agentId,
    items,
  });
  return body.operation_id;
}

function settledStatus(id: string): Promise<OperationStatus> {
  return eventually(`operation ${id} is settled`, async () => {
    const { body } = await system.http.get<OperationStatus>(`/api/operations/${id}/status`);
    return (body.status === 'completed' || body.status === 'cancelled') && body;
  });
}
