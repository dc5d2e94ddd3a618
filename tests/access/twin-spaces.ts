import { randomUUID } from 'node:crypto';
import { memorySubjects, type OperationStatus, type UnitList } from '@mneme/contracts';
import { expect } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { newPerson } from '../system/person.ts';
import type { System } from '../system/start-system.ts';
import { openEventLog } from '../system/stores/event-log.ts';
import type { Target } from './memory-requests.ts';

/** A space with the same agents and documents as the others, told apart by one word. */
export interface TwinSpace {
  /** As the memory area names it: a number, or `public`. */
  readonly name: string;
  /** A word that all that is stored in this space has, and nothing in another. */
  readonly word: string;
  /** Somebody who may do everything in the space. */
  readonly http: HttpClient;
}

export const twin = 'twin';
/** Every space has one document of this name, and one that is named by its word. */
export const sharedDocument = 'diary';

/** Two personal spaces, a team space, and that of callers without credentials. */
export async function openTwinSpaces({ http }: Pick<System, 'http'>): Promise<readonly TwinSpace[]> {
  const [ana, ben] = [await newPerson(http), await newPerson(http)];
  const { body: team } = await ana.http.post('/api/v3/spaces', { name: 'Team', type: 'team' });
  return [
    { name: String(ana.spaceId), word: 'quokka', http: ana.http },
    { name: String(team.id), word: 'wombat', http: ana.http.with({ 'x-space-id': String(team.id) }) },
    { name: String(ben.spaceId), word: 'numbat', http: ben.http },
    { name: 'public', word: 'bettong', http },
  ];
}

/** Lets an agent remember the same in a space as in the others, but for the word. */
export async function remember({ word, http }: TwinSpace, agentId: string): Promise<void> {
  const store = async (document_id: string | null, ...contents: string[]) => {
    const items = contents.map((content) => ({ content, event_date: '2026-05-01T10:00:00Z', context: `of a ${word}` }));
    const { status } = await http.post('/api/memories/batch', { agent_id: agentId, document_id, items });
    expect(status).toBe(200);
  };
  await http.put(`/api/agents/${agentId}`, { background: `I keep a ${word}.` });
  await store(sharedDocument, `The crate of the ${word} stands in Lisbon.`, 'Alice moved to Lisbon.');
  await store(`${agentId}-${word}`, `Alice feeds the ${word} in Lisbon.`);
  await store(null, 'Bob met Alice in Lisbon.');
}

/** Brings about what only a failing model would, and only after a while: a failed operation of the agent. */
export async function failOperation(
  { stack }: Pick<System, 'stack'>,
  { name, http }: TwinSpace,
  agentId: string,
): Promise<string> {
  const log = await openEventLog(stack.natsUrl);
  const ref = { space: name, agentId, operationId: randomUUID() };
  const subject = memorySubjects.operation(ref, ref.operationId);
  const items = [{ content: 'Crate C1 holds lemons.', eventDate: 'no date', context: null }];
  await log.append(subject, 'BatchSubmitted', { ...ref, part: 0, parts: 1, documentId: null, itemsCount: 1, items });
  await log.append(subject, 'OperationFailed', { ...ref, message: 'The model did not answer', attempts: 5 });
  await log.close();
  await eventually('the operation has failed', async () => {
    const { body } = await http.get<OperationStatus>(`/api/operations/${ref.operationId}/status`);
    return body.status === 'failed';
  });
  return ref.operationId;
}

/** What a request in this space may be aimed at. */
export async function targetIn(space: TwinSpace, agentId: string, operationId: string): Promise<Target> {
  const { body } = await space.http.get<UnitList>(`/api/list?agent_id=${agentId}`);
  const unit = body.items.find(({ text }) => text.includes(space.word));
  if (!unit) throw new Error(`${agentId} remembers nothing of a ${space.word}`);
  return { agentId, unitId: unit.id, operationId, documentId: `${agentId}-${space.word}` };
}

/** What a space shows of an agent, to be compared later. */
export async function shownBy({ http }: TwinSpace, agentId: string): Promise<unknown> {
  const paths = [`/api/list?agent_id=${agentId}&limit=1000`, `/api/stats/${agentId}`];
  return (await Promise.all(paths.map((path) => http.get(path)))).map(({ status, body }) => ({ status, body }));
}

/** Everything by which the content of a space could be known again. */
export async function tracesOf(space: TwinSpace): Promise<readonly string[]> {
  const { body } = await space.http.get<UnitList>('/api/list?limit=1000');
  return [space.word, ...body.items.map(({ id }) => id)];
}
