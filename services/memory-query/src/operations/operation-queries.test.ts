import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAgents } from '../agents/list-agents.ts';
import { createLogWriter } from '../testing/events.ts';
import { startStores } from '../testing/read-model.ts';
import { operationStatus } from './operation-queries.ts';

let stores: Awaited<ReturnType<typeof startStores>>;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

it('shows a caller who may touch one agent only nothing of others', async () => {
  const { readModel, project } = await stores.open();
  const { collections } = readModel;
  const log = createLogWriter('5', 'alice');
  const operationId = '018f0000-0000-7000-8000-000000000001';
  await project().apply([log.submitted(operationId, null, 'x')]);
  const status = (onlyAgent?: string, space = '5') => operationStatus(readModel, { space, operationId, onlyAgent });
  expect(await status('alice')).toEqual(await status());
  await expect(status('bob')).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  await expect(status('bob', '6')).rejects.toMatchObject({ status: 404 });
  const agents = (space: string, agentId?: string) => listAgents(collections, { space, agentId, limit: 100 });
  expect((await agents('5', 'alice')).agents).toMatchObject([{ agent_id: 'alice' }]);
  expect(await agents('5', 'alice')).toEqual(await agents('5'));
  expect((await agents('5', 'bob')).agents).toEqual([]);
  expect((await agents('6', 'alice')).agents).toEqual([]);
});
