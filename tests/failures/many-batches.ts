import { randomUUID } from 'node:crypto';
import type { BatchPutAsyncReply, OperationList, OperationStatus, UnitList } from '@mneme/contracts';
import { casesOf } from '@mneme/local-stack/testing';
import { expect } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import type { System } from '../system/start-system.ts';
import { vectorIdsOf } from '../system/stores/qdrant.ts';

export interface Submission {
  readonly agentId: string;
  readonly count: number;
  /** Called with the number of batches that have been answered 200. */
  readonly onAccepted?: (accepted: number) => void;
}

const clients = 16;

/**
 * Submits batches of one item each, as several clients do that send a request again, under the same Idempotency-Key,
 * until it is answered.
 * @returns the operation of each batch
 */
export async function submitBatches(http: HttpClient, submission: Submission): Promise<readonly string[]> {
  const { agentId, count, onAccepted = () => undefined } = submission;
  const operations: string[] = [];
  let next = 0;
  const submitOn = async () => {
    for (let index = next++; index < count; index = next++) {
      operations.push(await submitUntilAccepted(http, agentId, contentOf(index)));
      onAccepted(operations.length);
    }
  };
  await Promise.all(Array.from({ length: clients }, submitOn));
  return operations;
}

function contentOf(index: number): string {
  return `Crate C${index} holds lemons.`;
}

async function submitUntilAccepted(http: HttpClient, agentId: string, content: string): Promise<string> {
  const key = { 'idempotency-key': randomUUID() };
  const batch = { agent_id: agentId, items: [{ content }] };
  return eventually(
    `${content} is accepted`,
    async () => {
      const answer = await http.post<BatchPutAsyncReply>('/api/memories/batch_async', batch, key);
      if (answer.status === 200) return answer.body.operation_id;
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    },
    60_000,
  );
}

/** What is killed in one run of a test, one after another: all of them; at full length each alone too. */
export function killCases<Name extends string>(names: readonly Name[]) {
  const cases: [readonly Name[], ...(readonly Name[])[]] = [names, ...names.map((name) => [name])];
  return casesOf(cases).map((killed) => ({ killed, names: killed.join(', ') }));
}

/** Submits batches, and has each of those named killed and started again in the middle of them. */
export async function submitWhileKilled<Name extends string>(
  http: HttpClient,
  { agentId, count }: Submission,
  killed: readonly Name[],
  restart: (name: Name) => Promise<void>,
): Promise<readonly string[]> {
  const restarted: Promise<void>[] = [];
  const moments = new Map(killed.map((name, index) => [Math.floor(((index + 1) * count) / (killed.length + 1)), name]));
  const onAccepted = (accepted: number) => {
    const name = moments.get(accepted);
    if (name !== undefined) restarted.push(restart(name));
  };
  const operations = await submitBatches(http, { agentId, count, onAccepted });
  expect(restarted).toHaveLength(killed.length);
  await Promise.all(restarted);
  return operations;
}

/** Checks that every batch is completed, and that each of its items became exactly one unit, with one vector. */
export async function expectStoredOnce(
  { http, stack }: Pick<System, 'http' | 'stack'>,
  { agentId, count }: Submission,
  operations: readonly string[],
): Promise<void> {
  await nonePending(http, agentId);
  expect(new Set(operations).size).toBe(count);
  for (const id of operations) {
    const { body } = await http.get<OperationStatus>(`/api/operations/${id}/status`);
    expect(body).toMatchObject({ id, status: 'completed', items_count: 1, units_created: 1 });
  }
  const expected = Array.from({ length: count }, (_, index) => contentOf(index)).sort();
  const listed = await http.get<UnitList>(`/api/list?agent_id=${agentId}&limit=1000`);
  expect(listed.body.total).toBe(count);
  expect(listed.body.items.map(({ text }) => text).sort()).toEqual(expected);
  const ids = listed.body.items.map(({ id }) => id);
  expect(await vectorIdsOf(stack.qdrantUrl, agentId)).toEqual(ids.sort());
}

/** Waits until no operation of the agent is left on the list of pending and failed ones. */
export async function nonePending(http: HttpClient, agentId: string): Promise<void> {
  let left: OperationList['operations'] = [];
  await eventually(
    `no operation of ${agentId} is pending`,
    async () => {
      const answer = await http.get<OperationList>(`/api/operations/${agentId}`);
      expect(answer.status).toBe(200);
      left = answer.body.operations;
      return left.length === 0;
    },
    60_000,
  ).catch((error: unknown) => {
    throw new Error(`${left.length} operations are left: ${JSON.stringify(left.slice(0, 3))}`, { cause: error });
  });
}
