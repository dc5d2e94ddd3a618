import { agentKey, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { type Client, createClient, type Service, startService } from '@mneme/service-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silent, useTestLog } from '../testing/test-log.ts';
import { deleteDocument } from './commands.ts';

const log = useTestLog();
let client: Client;
let query: Service;
/** The positions at which the read model was asked. */
const asked: (number | undefined)[] = [];

const context = { correlationId: 'test' };
const agent = { space: 'public', agentId: 'alice' };

beforeAll(async () => {
  const { connection } = log;
  client = createClient({ connection });
  query = startService({ connection, name: 'memory-query', version: '0.0.1', logger: silent });
  query.serve(memoryQuery.findDocument, ({ minSequence }) => {
    asked.push(minSequence);
    return { unitCount: 1 };
  });
});

afterAll(async () => {
  await query?.stop();
  client?.close();
});

it('looks for a document after the last erasure of its agent, so that one of an erased agent is not found', async () => {
  const erased: MemoryEvent = { type: 'AgentErased', data: { space: agent.space, agentKey: agentKey(agent) } };
  const { sequence } = await log.store.append(memorySubjects.agent(agent), [erased], 0, context);
  const request = { ...agent, documentId: 'notes' };
  const { position } = await deleteDocument({ store: log.store, client }, request, context);
  expect(position).toBe(`MEMORY:${sequence + 1}`);
  await deleteDocument({ store: log.store, client }, request, context);
  expect(asked).toEqual([sequence, sequence + 1]);
});
