import { memoryIngest, memoryQuery, memoryStream, memorySubjects, WireError } from '@mneme/contracts';
import { openEraser } from '@mneme/event-store';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { erasedReply, operationReply } from '../testing/memory-replies.ts';

let count = 0;
let key: string;

const fixture = useGateway();
const { http } = fixture;
beforeEach(() => {
  fixture.services.answer(memoryIngest.eraseAgent, () => erasedReply);
  fixture.services.answer(memoryQuery.awaitErasure, () => ({ isDone: true }));
  count += 1;
  key = `key-${count}`;
});

const erase = (agent = 'ana') => http('DELETE', `/api/agents/${agent}`);
const search = (agent_id = 'ana') => searchIn({ agent_id });
const searchIn = (scope: { readonly agent_id?: string }) =>
  http('POST', '/api/search', { body: { query: 'x', ...scope }, headers: { 'idempotency-key': key } });

function findsZebras(): void {
  const result = { id: 'u', text: 'zebras', type: null, activation: null, context: null, event_date: null };
  const results = [{ ...result, score: 1, document_id: null, entities: '' }];
  fixture.services.answer(memoryQuery.search, () => ({ results, trace: null }));
}

/** Everything that the gateway keeps, as it is stored. */
async function keptText(): Promise<string> {
  const connection = await connect({ servers: fixture.stack.natsUrl });
  const manager = await jetstreamManager(connection);
  let text = '';
  for (const bucket of ['KV_idempotency', 'KV_idempotency-answers']) {
    const { state } = await manager.streams.info(bucket);
    if (state.messages === 0) continue;
    const consumer = await jetstream(connection).consumers.get(bucket);
    for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 2_000 })) {
      text += `${message.subject} ${Buffer.from(message.data).toString('latin1')}\n`;
    }
  }
  await connection.close();
  return text;
}

describe('erasing an agent', () => {
  it('is answered with counts once the read models have erased it', async () => {
    let asked = 0;
    fixture.services.answer(memoryQuery.awaitErasure, ({ agentId, sequence }) => {
      expect([agentId, sequence]).toEqual(['a/b', 9]);
      asked += 1;
      return { isDone: asked === 2 };
    });
    const { status, headers, body } = await erase('a%2Fb');
    expect([status, headers['x-event-position'], asked]).toEqual([200, 'MEMORY:9', 2]);
    expect(body).toEqual({
      success: true,
      agent_id: 'a/b',
      message: 'Agent and its 3 memory units erased',
      memory_units_deleted: 3,
      links_deleted: 7,
      documents_deleted: 1,
      operations_deleted: 2,
      events_erased: 5,
    });
  });

  it('is 404 for an unknown agent', async () => {
    fixture.services.answer(memoryIngest.eraseAgent, () => {
      throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Agent not found' });
    });
    const { status, body } = await erase();
    expect([status, body.message]).toEqual([404, 'Agent not found']);
  });

  it('is 404 after an earlier erasure, once that is done', async () => {
    fixture.services.answer(memoryIngest.eraseAgent, () => ({ ...erasedReply, wasThere: false }));
    expect((await erase()).status).toBe(404);
    const impatient = await fixture.startAnother({ SYNC_TIMEOUT_MS: '100' });
    fixture.services.answer(memoryQuery.awaitErasure, () => ({ isDone: false }));
    expect((await impatient.http('DELETE', '/api/agents/ana')).status).toBe(504);
  });

  it('is waited for although an answer about it is late', async () => {
    let asked = 0;
    fixture.services.answer(memoryQuery.awaitErasure, () => {
      asked += 1;
      if (asked === 1) throw new WireError({ status: 504, code: 'TIMEOUT', message: 'No answer in time' });
      return { isDone: asked === 3 };
    });
    expect([(await erase()).status, asked]).toEqual([200, 3]);
  });

  it('does not claim to be done while a read model may still have it', async () => {
    const impatient = await fixture.startAnother({ SYNC_TIMEOUT_MS: '100' });
    fixture.services.answer(memoryQuery.awaitErasure, () => ({ isDone: false }));
    expect((await impatient.http('DELETE', '/api/agents/ana')).status).toBe(504);
    await fixture.services.stop('memory-query');
    expect((await erase()).status).toBe(503);
    await fixture.services.start('memory-query');
  });
});

describe('stored answers to requests with an idempotency key', () => {
  it('are not readable in the store', async () => {
    findsZebras();
    await search();
    expect((await search()).headers['idempotency-replayed']).toBe('true');
    const kept = await keptText();
    expect(kept).toContain('$KV.idempotency-answers.');
    expect(kept).not.toContain('zebras');
  });

  it('are deleted with the agent that they are about, and their requests are not carried out again', async () => {
    findsZebras();
    await search();
    const others = key;
    key = `${key}-bob`;
    await search('bob');
    await erase();
    const repeated = await search('bob');
    key = others;
    const { status, body } = await search();
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(fixture.services.requestsTo(memoryQuery.search)).toHaveLength(2);
  });

  it('are deleted with the agent `default` if they name no agent', async () => {
    findsZebras();
    expect((await searchIn({})).status).toBe(200);
    await erase('default');
    expect((await searchIn({})).status).toBe(409);
  });

  it('are deleted even if they were on their way while the agent was erased', async () => {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    fixture.services.answer(memoryQuery.search, async () => {
      asked.resolve();
      await released.promise;
      return { results: [], trace: null };
    });
    const waiting = search('eve');
    await asked.promise;
    await erase('eve');
    const before = await keptText();
    released.resolve();
    expect((await waiting).status).toBe(200);
    const answers = (text: string) => text.split('\n').filter((line) => line.startsWith('$KV.idempotency-answers.'));
    expect(answers(await keptText())).toEqual(answers(before));
    expect((await search('eve')).status).toBe(409);
  });

  it('are deleted if only the answer names the agent', async () => {
    const operation = operationReply({ agent_id: 'kim', status: 'pending' });
    fixture.services.answer(memoryIngest.retryOperation, () => ({ position: 'MEMORY:5' }));
    fixture.services.answer(memoryQuery.operationStatus, () => operation);
    const retry = () => http('POST', `/api/operations/${operation.id}/retry`, { headers: { 'idempotency-key': key } });
    await retry();
    expect((await retry()).headers['idempotency-replayed']).toBe('true');
    await erase('kim');
    expect((await retry()).status).toBe(409);
  });

  it('are not deleted by the erasure of an agent that never existed', async () => {
    fixture.services.answer(memoryIngest.eraseAgent, () => {
      throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Agent not found' });
    });
    findsZebras();
    await search('nobody');
    expect((await erase('nobody')).status).toBe(404);
    expect((await search('nobody')).headers['idempotency-replayed']).toBe('true');
  });

  it('are stored again for requests after the erasure', async () => {
    await erase();
    findsZebras();
    await search();
    expect((await search()).headers['idempotency-replayed']).toBe('true');
  });
});

describe('a keyed request that is repeated while its agent is being erased', () => {
  const batch = { agent_id: 'lea', items: [{ content: 'Lea moved to Porto.' }] };
  const submit = (to: { readonly http: typeof http } = fixture) =>
    to.http('POST', '/api/memories/batch', { body: batch, headers: { 'idempotency-key': key } });
  const ofBatch = (operationId: string) => fixture.store.load(memorySubjects.anyOperation(operationId));
  const eraser = () => openEraser(fixture.connection, memoryStream.name);

  /** A batch whose caller has got no final answer. @returns its operation's id */
  async function submitUnanswered(): Promise<string> {
    const impatient = await fixture.startAnother({ SYNC_TIMEOUT_MS: '50' });
    fixture.services.answer(memoryQuery.awaitOperation, () => ({ settled: false, position: null, operation: null }));
    const { status, body } = await submit(impatient);
    expect(status).toBe(504);
    fixture.services.answer(memoryQuery.awaitOperation, ({ operationId }) => {
      const operation = operationReply({ id: operationId, status: 'completed' });
      return { settled: true, position: 'MEMORY:77', items: [], operation };
    });
    return body.operation_id;
  }

  it('is not carried out again', async () => {
    const operationId = await submitUnanswered();
    const repeats: unknown[] = [];
    const repeat = async () => {
      const { status, body } = await submit();
      repeats.push([status, body.code]);
    };
    fixture.services.answer(memoryIngest.eraseAgent, async () => {
      await eraser().erase((await ofBatch(operationId)).events.map(({ position }) => position.sequence));
      await repeat();
      return erasedReply;
    });
    fixture.services.answer(memoryQuery.awaitErasure, async () => {
      await repeat();
      return { isDone: true };
    });
    expect((await erase('lea')).status).toBe(200);
    expect(repeats).toEqual(Array.from({ length: 2 }, () => [409, 'CONFLICT']));
    expect((await ofBatch(operationId)).events).toEqual([]);
  });

  it('is not carried out again if it is a merge into the background of an agent without memories', async () => {
    const agent = { space: 'public', agentId: 'noa' };
    const created = { type: 'AgentCreated', data: agent } as const;
    await fixture.store.append(memorySubjects.agent(agent), [created], 0, { correlationId: 'test' });
    fixture.services.answer(memoryIngest.addBackground, () => {
      throw new WireError({ status: 504, code: 'TIMEOUT', message: 'No answer in time' });
    });
    const merge = () =>
      http('POST', '/api/agents/noa/background', { body: { content: 'I sail.' }, headers: { 'idempotency-key': key } });
    expect((await merge()).status).toBe(504);
    fixture.services.answer(memoryIngest.eraseAgent, async () => {
      expect((await merge()).status).toBe(409);
      return erasedReply;
    });
    expect((await erase('noa')).status).toBe(200);
    expect(fixture.asked(memoryIngest.addBackground)).toHaveLength(1);
  });

  it('is not carried out again if it began during an erasure that takes longer than the caller waits', async () => {
    expect((await http('POST', '/api/memories/batch_async', { body: batch })).status).toBe(200);
    fixture.services.answer(memoryIngest.eraseAgent, async () => {
      await submitUnanswered();
      throw new WireError({ status: 504, code: 'TIMEOUT', message: 'No answer in time' });
    });
    expect((await erase('lea')).status).toBe(504);
    expect((await submit()).status).toBe(409);
  });
});
