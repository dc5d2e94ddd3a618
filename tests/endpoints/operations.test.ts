import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BatchPutAsyncReply,
  memorySubjects,
  type OperationList,
  type OperationStatus,
  type Stats,
  type UnitList,
} from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { neighbourOf } from '../system/neighbour.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type EventLog, openEventLog } from '../system/stores/event-log.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** So much work that other batches wait behind it for as long as these tests need. */
const longContent = 'Alice went to Paris on Monday with Bob. '.repeat(40_000);

/** How often a batch is counted while it is stored. */
const countRounds = scaled({ full: 250, short: 20 });

const cancelRounds = scaled({ full: 50, short: 3 });
const itemsPerBatch = 20;
/** Takes a while to read and makes one unit. */
const slowContent = 'word '.repeat(10_000);
const crates = Array.from({ length: itemsPerBatch }, (_, index) => ({ content: `Crate C${index} holds lemons.` }));

let system: System;
let log: EventLog;
/** Of a batch that is given up after 15 s, nearly all of them between tries, while others are worked on. */
let unlucky: string;
beforeAll(async () => {
  // One batch at a time, so that a cancel also comes while its batch waits behind another one.
  system = await startSystem({ processes: 'one', environment: { INGEST_CONCURRENCY: '1' } });
  log = await openEventLog(system.stack.natsUrl);
  unlucky = await submitUnlucky();
  return async () => {
    await log.close();
    await system.stop();
  };
});

const submit = (agent_id: string, content: string, document_id?: string) =>
  submitItems(agent_id, [{ content }], document_id);

async function submitItems(
  agent_id: string,
  items: readonly { content: string }[],
  document_id?: string,
): Promise<string> {
  const batch = { agent_id, items, document_id };
  return (await system.http.post<BatchPutAsyncReply>('/api/memories/batch_async', batch)).body.operation_id;
}

const list = async (agent: string) => (await system.http.get<OperationList>(`/api/operations/${agent}`)).body;
const statusOf = async (id: string) => (await system.http.get<OperationStatus>(`/api/operations/${id}/status`)).body;
const cancel = (id: string) => system.http.delete(`/api/operations/${id}`);

// First, while nothing else waits to be worked on, so that the moments are within the work of its batches.
test('a batch cancelled at a random moment is stored in full or not at all, and the reply says which', async () => {
  const outcomes = { cancelled: 0, tooLate: 0 };
  const usualMs = await measureBatch();
  for (let round = 0; round < cancelRounds; round++) {
    const agentId = `cancel-${round}`;
    await submitSlow();
    const id = await submitItems(agentId, crates);
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
  expect(outcomes.cancelled + outcomes.tooLate).toBe(cancelRounds);
  expect(outcomes.cancelled).toBeGreaterThan(0);
});

test('pending operations are listed oldest first, and can be cancelled before and during their work', async () => {
  const working = await submit('busy', longContent);
  const waiting = await submit('busy', 'Crate C1 holds lemons.', 'cellar');
  const processing = await eventually('the first one is worked on', async () => {
    const status = await statusOf(working);
    return status.status === 'processing' && status;
  });
  expect(processing).toEqual({
    id: working,
    agent_id: 'busy',
    status: 'processing',
    items_count: 1,
    units_created: 0,
    error_message: null,
    created_at: timestamp,
    updated_at: timestamp,
  });
  const listed = await list('busy');
  expect(listed).toMatchObject({ agent_id: 'busy', operations: [{ id: working, status: 'pending' }, { id: waiting }] });
  expect(listed.operations[1]).toEqual({
    id: waiting,
    task_type: 'batch_put',
    items_count: 1,
    document_id: 'cellar',
    created_at: timestamp,
    status: 'pending',
    error_message: null,
    attempts: 0,
  });
  for (const id of [waiting, working]) {
    const message = `Operation ${id} cancelled`;
    expect(await cancel(id.toUpperCase())).toMatchObject({
      status: 200,
      body: { success: true, message, operation_id: id, agent_id: 'busy' },
    });
    expect(await statusOf(id)).toMatchObject({ status: 'cancelled', units_created: 0 });
  }
  expect((await list('busy')).operations).toEqual([]);
  await submit('behind', 'Crate C2 holds limes.');
  await eventually('what came later is done', async () => (await list('behind')).operations.length === 0);
  expect((await system.http.get('/api/list?agent_id=busy')).body.total).toBe(0);
  expect((await system.http.get('/api/documents?agent_id=busy')).body.total).toBe(0);
});

test('a document is deleted while its first version is being stored, and nothing of it appears', async () => {
  // Its batch waits behind this one.
  const working = await submit('in-front', longContent);
  const id = await submit('hasty', 'Crate C1 holds lemons.', 'draft');
  const path = '/api/documents/draft?agent_id=hasty';
  expect(await system.http.delete(path)).toMatchObject({ status: 200, body: { memory_units_deleted: 0 } });
  expect(await system.http.delete(path)).toMatchObject({ status: 404, body: { message: 'Document not found' } });
  await cancel(working);
  expect((await settledStatus(id)).status).toBe('completed');
  expect((await system.http.get(path)).status).toBe(404);
  expect((await system.http.get('/api/list?agent_id=hasty')).body.total).toBe(0);
});

test('cancelled by many callers at once, an operation is cancelled once', async () => {
  // On a busy machine it may have ended before the first caller is heard.
  const statuses = await eventually('an operation is cancelled', async () => {
    const working = await submit('many', longContent);
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(working)));
    const found = answers.map(({ status }) => status);
    return found.includes(200) && found;
  });
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  // A busy service refuses with 503 what it can no longer do in time.
  expect(statuses.filter((status) => [404, 409, 503].includes(status))).toHaveLength(9);
});

test('statistics count a batch as pending from the moment at which it was accepted, until it is stored', async () => {
  const working = await submit('counter', longContent);
  const seen = { pending: 0, stored: 0, neither: 0 };
  for (let round = 0; round < countRounds; round += 1) {
    const agent = `counted-${round}`;
    await submit(agent, `Crate ${round} holds lemons.`);
    const { status, body } = await system.http.get<Stats>(`/api/stats/${agent}`);
    // On a busy machine an answer may say that it is behind, which is no wrong count.
    if (status === 503) continue;
    const { pending_operations, total_nodes } = body;
    const state = pending_operations === 1 ? 'pending' : total_nodes === 1 ? 'stored' : 'neither';
    seen[state] += 1;
  }
  expect(seen.neither).toBe(0);
  expect(seen.pending).toBeGreaterThan(0);
  await cancel(working);
});

test('an import does not hold up another agent of the same lane', async () => {
  const batches = scaled({ full: 40, short: 8 });
  const perBatch = scaled({ full: 500, short: 150 });
  const operations: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const items = Array.from({ length: perBatch }, (_, item) => ({ content: `Crate C${batch}-${item} holds lemons.` }));
    operations.push(await submitItems('importer', items));
  }
  const [first = '', last = ''] = [operations.at(0), operations.at(-1)];
  const isCompleted = async (id: string) => (await statusOf(id)).status === 'completed';
  await eventually('the first batch is stored', () => isCompleted(first));
  const other = { agent_id: neighbourOf('importer'), items: [{ content: 'Bob has a cello.' }] };
  expect((await system.http.post('/api/memories/batch', other)).status).toBe(200);
  expect(await isCompleted(last)).toBe(false);
  await eventually('the last batch is stored', () => isCompleted(last));
  for (const id of operations) expect(await statusOf(id)).toMatchObject({ units_created: perBatch });
});

test('a batch that fails again and again is listed as failed with its reason, until it is dismissed', async () => {
  const id = unlucky;
  const failed = await eventually('it has failed', async () => {
    const status = await statusOf(id);
    return status.status === 'failed' && status;
  });
  expect(failed.error_message).toBeTruthy();
  expect((await list('unlucky')).operations).toEqual([
    {
      id,
      task_type: 'batch_put',
      items_count: 1,
      document_id: 'd',
      created_at: timestamp,
      status: 'failed',
      error_message: failed.error_message,
      attempts: expect.any(Number),
    },
  ]);
  const stats = await system.http.get('/api/stats/unlucky');
  expect(stats.body).toMatchObject({ total_nodes: 0, pending_operations: 0, failed_operations: 1 });
  expect(await cancel(id)).toMatchObject({ status: 200, body: { success: true, agent_id: 'unlucky' } });
  expect((await list('unlucky')).operations).toEqual([]);
  expect(await cancel(id)).toMatchObject({ status: 404 });
});

/** How long a batch behind another one takes from its submission until it is stored, in milliseconds. */
async function measureBatch(): Promise<number> {
  await submitSlow();
  const begin = performance.now();
  await settledStatus(await submitItems('measured', crates));
  return performance.now() - begin;
}

function submitSlow(): Promise<string> {
  return submit('in-front', slowContent);
}

function settledStatus(id: string): Promise<OperationStatus> {
  return eventually(`operation ${id} is settled`, async () => {
    const status = await statusOf(id);
    return (status.status === 'completed' || status.status === 'cancelled') && status;
  });
}

/** Submits a batch that cannot be stored, however often it is tried. @returns its operation */
async function submitUnlucky(): Promise<string> {
  const id = randomUUID();
  const agent = { space: 'public', agentId: 'unlucky' };
  // The gateway would refuse such a date; here it stands for a model that fails.
  const items = [{ content: 'Crate C1 holds lemons.', eventDate: 'no date', context: null }];
  const data = { ...agent, operationId: id, part: 0, parts: 1, documentId: 'd', itemsCount: 1, items };
  await log.append(memorySubjects.operation(agent, id), 'BatchSubmitted', data);
  return id;
}
