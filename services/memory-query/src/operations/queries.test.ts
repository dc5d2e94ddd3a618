import { agentKey, memorySubjects } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { listAgents } from '../agents/queries.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { awaitOperation, currentStatus, operationStatus } from './queries.ts';
import { OperationWaiters } from './waiters.ts';

const stores = useStores();

it('shows an operation as pending while its facts are being applied, and waits if it is not applied at all', async () => {
  const { readModel, project } = await stores.open();
  const log = createLogWriter('5', 'alice');
  const operationId = '018f0000-0000-7000-8000-000000000002';
  const submitted = log.submitted(operationId, null, 'x');
  const subject = memorySubjects.operation({ space: '5', agentId: 'alice' }, operationId);
  const asked: (number | undefined)[] = [];
  const rows = async (_space: string, _key: string | undefined, minSequence?: number) => {
    asked.push(minSequence);
    return readModel;
  };
  const deps = {
    store: { lastPosition: async () => ({ subject, position: { stream: 'MEMORY', sequence: 77 } }) },
    readModel: { await: async () => false },
    reads: { ofKey: rows, ofSpace: (space: string, minSequence?: number) => rows(space, undefined, minSequence) },
  };
  await expect(currentStatus(deps, { space: '5', operationId })).rejects.toMatchObject({ code: 'operation-not-found' });
  expect(asked).toEqual([undefined, 77]);
  await project().apply([submitted]);
  expect(await currentStatus(deps, { space: '5', operationId })).toMatchObject({ status: 'pending' });
  expect(asked).toEqual([undefined, 77, undefined]);
});

it('tells that an awaited operation is gone with its agent, also where another instance holds the lane', async () => {
  const { readModel } = await stores.open();
  const waits: (number | string | undefined)[][] = [];
  let isReached = true;
  const deps = {
    readModel: {
      assertCurrent: () => undefined,
      isHere: () => false,
      position: () => 0,
      await: async (...[sequence, , aggregate]: [number, number, string?]) => {
        waits.push([sequence, aggregate]);
        return isReached;
      },
    },
    reads: { ofAgent: async () => readModel },
    waiters: new OperationWaiters({ collections: () => readModel.collections, isHere: () => false, position: () => 0 }),
  };
  const alice = { space: '5', agentId: 'alice' };
  const awaited = { ...alice, operationId: '018f0000-0000-7000-8000-000000000003', submittedSequence: 7, waitMs: 10 };
  expect(await awaitOperation(deps, awaited)).toEqual({ settled: true, position: null, operation: null });
  expect(waits).toEqual([[7, agentKey(alice)]]);
  isReached = false;
  expect(await awaitOperation(deps, awaited)).toMatchObject({ settled: false });
});

it('shows a caller who may access one agent nothing of others', async () => {
  const { readModel, project } = await stores.open();
  const { collections } = readModel;
  const log = createLogWriter('5', 'alice');
  const operationId = '018f0000-0000-7000-8000-000000000001';
  await project().apply([log.submitted(operationId, null, 'x')]);
  const status = (onlyAgent?: string, space = '5') => operationStatus(readModel, { space, operationId, onlyAgent });
  expect(await status('alice')).toEqual(await status());
  await expect(status('bob')).rejects.toMatchObject({ code: 'agent-not-allowed' });
  await expect(status('bob', '6')).rejects.toMatchObject({ code: 'operation-not-found' });
  const agents = (space: string, agentId?: string) =>
    listAgents({ collections, removals: [] }, { space, agentId, limit: 100 });
  expect((await agents('5', 'alice')).agents).toMatchObject([{ agent_id: 'alice' }]);
  expect(await agents('5', 'alice')).toEqual(await agents('5'));
  expect((await agents('5', 'bob')).agents).toEqual([]);
  expect((await agents('6', 'alice')).agents).toEqual([]);
});
