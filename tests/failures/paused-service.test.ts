import { setTimeout as pause } from 'node:timers/promises';
import type { BatchPutAsyncReply, OperationStatus } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { vectorIdsOf } from '../system/stores/qdrant.ts';

const agentId = 'gone';
const sentences = 3_000;
/** For so long after it goes on, the process is watched. */
const watchedMs = 4_000;
/** NATS and MongoDB close within half a minute what a process that stands still has open; a request may wait as long. */
const takenOverMs = 90_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: memoryServices });
  return system.stop;
});

async function unitsStored(): Promise<number> {
  const { status, body } = await system.http.get<{ total_nodes: number }>(`/api/stats/${agentId}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.total_nodes;
}

const sentence = (n: number) =>
  `Report number ${n} about the harbour says that ${7 * n} crates of lemons were carried to the island by ship ${n % 31}.`;

// Half a minute of it is waiting.
test.runIf(scaled({ full: 1, short: 0 }))(
  'a process that stands still holds up the one that takes its work over for half a minute, and changes nothing when it goes on',
  async () => {
    const content = Array.from({ length: sentences }, (_, n) => sentence(n)).join(' ');
    const batch = { agent_id: agentId, document_id: 'reports', items: [{ content }] };
    const submitted = await system.http.post<BatchPutAsyncReply>('/api/memories/batch_async', batch);
    const vectors = () => vectorIdsOf(system.stack.qdrantUrl, agentId);
    const before = await eventually('vectors are being written', async () => (await vectors()).length || undefined);
    const still = system.service('memory-query');
    still.pause();
    try {
      await system.addService('memory-query');
      const isStored = async () => {
        const { body } = await system.http.get<OperationStatus>(
          `/api/operations/${submitted.body.operation_id}/status`,
        );
        return body.status === 'completed' && body.units_created === (await unitsStored()) && body.units_created;
      };
      const units = await eventually(
        'the other process stores the rest',
        async () => (await isStored()) || undefined,
        takenOverMs,
      );
      expect(units).toBeGreaterThan(before);
      expect(await vectors()).toHaveLength(units);
      const erase = async () => (await system.http.delete(`/api/agents/${agentId}`)).status === 200;
      await eventually('the agent is erased', erase, 60_000);
      expect(await vectors()).toEqual([]);
    } finally {
      still.resume();
    }
    for (const until = performance.now() + watchedMs; performance.now() < until; await pause(200)) {
      expect(await vectors()).toEqual([]);
    }
    const stored = await system.http.post('/api/memories/batch', {
      agent_id: 'other',
      items: [{ content: 'It rains.' }],
    });
    expect(stored.status).toBe(200);
    expect(await unitsStored()).toBe(0);
  },
);
