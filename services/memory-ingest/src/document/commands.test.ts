import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { deleteDocument } from './commands.ts';

const log = useTestLog();
/** The positions at which the read model was asked. */
const asked: (number | undefined)[] = [];
/** From which position on the read model has the document. */
let foundFrom = 0;

const context = { correlationId: 'test' };
const agent = { space: 'public', agentId: 'alice' };

const query = useMemoryQuery(log, (service) =>
  service.serve(memoryQuery.findDocument, ({ minSequence }) => {
    asked.push(minSequence);
    return { unitCount: (minSequence ?? 0) < foundFrom ? null : 1 };
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

it('looks once more after the last batch of the agent, so that a document that was just submitted is found', async () => {
  asked.length = 0;
  const items = [{ content: 'Ana was in Rome.', eventDate: null, context: null }];
  const batch = { operationId: randomUUID(), documentId: 'draft', part: 0, parts: 1, itemsCount: 1, items };
  const submitted: MemoryEvent = { type: 'BatchSubmitted', data: { ...agent, ...batch } };
  const subject = memorySubjects.operation(agent, batch.operationId);
  const { sequence } = await log.store.append(subject, [submitted], 0, context);
  foundFrom = sequence;
  await deleteDocument({ store: log.store, client: query.client }, { ...agent, documentId: 'draft' }, context);
  expect(asked).toEqual([expect.any(Number), sequence]);
  expect(asked[0]).toBeLessThan(sequence);
});
