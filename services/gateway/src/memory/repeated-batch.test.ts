import { randomUUID } from 'node:crypto';
import { agentKey, memoryStream, memorySubjects } from '@mneme/contracts';
import { type EventStore, openEraser } from '@mneme/event-store';
import { createLogger } from '@mneme/service-kit';
import { describe, expect, it } from 'vitest';
import type { MemoryCaller } from '../auth/caller.ts';
import { jsonAnswer } from '../http/answers.ts';
import { type Attempt, createIdempotency } from '../idempotency/idempotency.ts';
import { openRecordStore } from '../idempotency/record-store.ts';
import type { RequestScope } from '../routing/http-endpoint.ts';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { useGateway } from '../testing/gateway-fixture.ts';
import { type BatchDeps, batchEndpoints } from './batch-routes.ts';

const fixture = useGateway();

const agent = { space: 'public', agentId: 'ana' };
const body = { agent_id: agent.agentId, items: [{ content: 'Ana moved to Lisbon.' }] };

/** Submits a batch, asynchronously, to endpoints of which some parts are replaced. */
function submit(deps: Partial<BatchDeps>, attempt: Attempt) {
  const { putBatchAsync } = batchEndpoints({
    store: fixture.store,
    maxEventBytes: () => 1e6,
    largeBatches: { inTurn: (_batch, _wait, append) => append() },
    services: {} as never,
    syncTimeoutMs: 1_000,
    ...deps,
  });
  const caller = { space: agent.space } as MemoryCaller;
  const scope = { ...attempt, caller, requestId: 'test', signal: new AbortController().signal } as RequestScope;
  return putBatchAsync({ path: {}, query: {}, body } as never, scope);
}

const eventsOf = async (operationId: string) =>
  (await fixture.store.load(memorySubjects.anyOperation(operationId))).events;

describe('a keyed batch', () => {
  it('stores nothing if its agent is erased while it waits for its turn', async () => {
    const store = await openRecordStore({ ...bucketDeps(fixture.connection), maxBytes: 1e7 });
    const logger = createLogger({ service: 'test', level: 'silent' });
    const idempotency = createIdempotency({ store, logger, secret: new Uint8Array(32) });
    const inTurn: BatchDeps['largeBatches']['inTurn'] = async (_batch, _wait, append) => {
      await idempotency.eraseAgent(agentKey(agent));
      return append();
    };
    let operationId = '';
    const request = { key: randomUUID(), callerId: 'test', owner: 'test', method: 'POST', path: '/', body: undefined };
    const running = idempotency.run({ ...request, agentKey: agentKey(agent) }, async (attempt) => {
      operationId = attempt.commandId;
      const reply = await submit({ largeBatches: { inTurn } }, attempt);
      return { answer: jsonAnswer(reply.body, {}, 200), isReplayable: true, agentKey: undefined };
    });
    await expect(running).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(await eventsOf(operationId)).toEqual([]);
  });

  it('is 409 if its first run is erased from the log just when it is looked up', async () => {
    const attempt = { commandId: randomUUID(), isRepeat: false, assertNotErased: async () => undefined };
    await submit({}, attempt);
    const eraser = openEraser(fixture.connection, memoryStream.name);
    const lastPosition: EventStore<never>['lastPosition'] = async (subject) => {
      await eraser.erase((await eraser.find(subject)).map(({ sequence }) => sequence));
      return fixture.store.lastPosition(subject);
    };
    await expect(submit({ store: { ...fixture.store, lastPosition } }, attempt)).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: 'The batch was erased with its agent',
      extra: { operation_id: attempt.commandId },
    });
    expect(await eventsOf(attempt.commandId)).toEqual([]);
  });
});
