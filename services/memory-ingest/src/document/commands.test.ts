import { agentKey, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { deleteDocument } from './commands.ts';

const log = useTestLog();
/** The positions at which the read model was asked. */
const asked: (number | undefined)[] = [];

const context = { correlationId: 'test' };
const agent = { space: 'public', agentId: 'alice' };

const query = useMemoryQuery(log, (service) =>
  service.serve(memoryQuery.findDocument, ({ minSequence }) => {
    asked.push(minSequence);
    return { unitCount: 1 };
  }),
);

it('looks for a document after the last erasure of its agent, so that one of an erased agent is not found', async () => {
  const erased: MemoryEvent = { type: 'AgentErased', data: { space: agent.space, agentKey: agentKey(agent) } };
  const { sequence } = await log.store.append(memorySubjects.agent(agent), [erased], 0, context);
  const remove = () =>
    deleteDocument({ store: log.store, client: query.client }, { ...agent, documentId: 'notes' }, context);
  const { position } = await remove();
  expect(position).toBe(`MEMORY:${sequence + 1}`);
  await remove();
  expect(asked).toEqual([sequence, sequence + 1]);
});
