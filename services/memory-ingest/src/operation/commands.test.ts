import { randomUUID } from 'node:crypto';
import { type MemoryEvent, memoryIngest, memorySubjects } from '@mneme/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { behindAtFirst, submission, submit, useTestLog } from '../testing/test-log.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { cancelOperation, failOperation } from './commands.ts';

const log = useTestLog();
let service: TestService;

const context = { correlationId: 'test' };

beforeAll(async () => {
  service = await startTestService(log, { concurrency: 2 });
});

afterAll(() => service?.stop());

/** An operation with a history, stored in one append so that the handler sees its final state. */
async function operation(...later: ('OperationFailed' | 'OperationDismissed')[]) {
  const ref = { space: 'public', agentId: 'alice', operationId: randomUUID() };
  const subject = memorySubjects.operation(ref, ref.operationId);
  const failure: MemoryEvent = { type: 'OperationFailed', data: { ...ref, message: 'no model', attempts: 5 } };
  const events: MemoryEvent[] = [
    submission(['Alice lives in Lisbon.'], ref),
    ...later.map((type) => (type === 'OperationFailed' ? failure : ({ type, data: ref } as const))),
  ];
  await log.store.append(subject, events, 0, context);
  return { subject, ...ref };
}

function retry({ operationId }: { operationId: string }, options: { space?: string; commandId?: string } = {}) {
  const { space = 'public', commandId = randomUUID() } = options;
  const request = { space, operationId, commandId };
  return service.client.request(memoryIngest.retryOperation, request, { ...context, timeoutMs: 30_000 });
}

it('processes a failed operation again, with the date of its submission', async () => {
  const failed = await operation('OperationFailed');
  await retry(failed);
  await expect
    .poll(() => log.typesOf(failed.subject), { timeout: 20_000 })
    .toEqual(['BatchSubmitted', 'OperationFailed', 'OperationRetried', 'FactsExtracted']);
  const { events } = await log.store.load(failed.subject);
  const [submitted, , , extracted] = events;
  if (extracted?.type !== 'FactsExtracted') throw new Error('There are no facts');
  expect(extracted.data.facts[0]?.eventDate).toBe(submitted?.time);
});

it('cancels or fails an operation that a replica does not have yet', async () => {
  /** The handler waits for the rest of it. */
  const firstPart = (operationId = randomUUID()) => submit(log, [], { operationId, parts: 2 });
  const operationId = randomUUID();
  const cancelled = await firstPart(operationId);
  await cancelOperation(behindAtFirst(log.store), { space: 'public', operationId }, context);
  expect(await log.typesOf(cancelled)).toEqual(['BatchSubmitted', 'OperationCancelled']);
  const subject = await firstPart();
  await failOperation(behindAtFirst(log.store), subject, new Error('no model'), context);
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'OperationFailed']);
});

it('retries once for a request that is sent several times', async () => {
  const failed = await operation('OperationFailed');
  const commandId = randomUUID();
  const replies = await Promise.all(Array.from({ length: 5 }, () => retry(failed, { commandId })));
  expect(new Set(replies.map(({ position }) => position)).size).toBe(1);
  expect((await log.typesOf(failed.subject)).filter((type) => type === 'OperationRetried')).toHaveLength(1);
});

it('refuses to retry an operation that has not failed', async () => {
  const unknown = { operationId: randomUUID() };
  const dismissed = await operation('OperationFailed', 'OperationDismissed');
  const failed = await operation('OperationFailed');
  await expect(retry(unknown)).rejects.toMatchObject({ status: 404 });
  await expect(retry(dismissed)).rejects.toMatchObject({ status: 404 });
  await expect(retry(failed, { space: '7' })).rejects.toMatchObject({
    status: 404,
    message: `Operation ${failed.operationId} not found`,
  });
  const completed = await operation();
  await expect.poll(() => log.typesOf(completed.subject), { timeout: 20_000 }).toContain('FactsExtracted');
  await expect(retry(completed)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: `Operation ${completed.operationId} is completed: submit a new batch to store something else`,
  });
});

it('finds an operation to cancel by its id alone, and refuses unknown ones', async () => {
  const failed = await operation('OperationFailed');
  const operationId = failed.operationId.toUpperCase();
  const cancelled = await cancelOperation(log.store, { space: 'public', operationId }, context);
  expect(cancelled.agentId).toBe('alice');
  const unknown = randomUUID();
  await expect(cancelOperation(log.store, { space: 'public', operationId: unknown }, context)).rejects.toThrow(
    `Operation ${unknown} not found`,
  );
});
