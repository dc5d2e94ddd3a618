import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { deleteDocument } from './commands.ts';

const log = useTestLog();
/** The positions at which the read model was asked. */
const asked: (number | undefined)[] = [];
/** What the read model has applied of batches; it is only asked if the document is not there. */
let applied = Number.POSITIVE_INFINITY;
let isThere = true;

const context = { correlationId: 'test' };
const agent = { space: 'public', agentId: 'alice' };

const query = useMemoryQuery(log, (service) => {
  service.serve(memoryQuery.findDocument, ({ minSequence }) => {
    asked.push(minSequence);
    return { unitCount: isThere ? 1 : null };
  });
  service.serve(memoryQuery.awaitPosition, ({ sequence }) => {
    isThere = sequence <= applied;
    return { reached: isThere };
  });
});

const remove = (documentId: string) =>
  deleteDocument({ store: log.store, client: query.client }, { ...agent, documentId }, context);

it('looks for a document after the last erasure of its agent, so that one of an erased agent is not found', async () => {
  const erased: MemoryEvent = { type: 'AgentErased', data: { space: agent.space, agentKey: agentKey(agent) } };
  const { sequence } = await log.store.append(memorySubjects.agent(agent), [erased], 0, context);
  const { position } = await remove('notes');
  expect(position).toBe(`MEMORY:${sequence + 1}`);
  await remove('notes');
  expect(asked).toEqual([sequence, sequence + 1]);
});

describe('a document that was submitted a moment ago', () => {
  const submit = async (documentId: string) => {
    const items = [{ content: 'Ana was in Rome.', eventDate: null, context: null }];
    const batch = { operationId: randomUUID(), documentId, part: 0, parts: 1, itemsCount: 1, items };
    const submitted: MemoryEvent = { type: 'BatchSubmitted', data: { ...agent, ...batch } };
    return (await log.store.append(memorySubjects.operation(agent, batch.operationId), [submitted], 0, context))
      .sequence;
  };

  it('is looked for once more when the read model knows of it', async () => {
    applied = await submit('draft');
    isThere = false;
    expect((await remove('draft')).unitsDeleted).toBe(1);
  });

  it('is not waited for while the read model is behind with large batches', async () => {
    applied = (await submit('late')) - 1;
    isThere = false;
    await expect(remove('late')).rejects.toMatchObject({ code: 'document-not-found' });
  });
});
