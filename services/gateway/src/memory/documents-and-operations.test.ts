import { memoryIngest, memoryQuery, type OperationList, WireError } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { operationReply } from '../testing/memory-replies.ts';

const id = '0192f5c4-0000-7000-8000-000000000001';
const time = '2024-03-01T09:30:00.000Z';
const page = { total: 0, limit: 100, offset: 0 };
const notFound = (message: string) => () => {
  throw new WireError({ status: 404, code: 'NOT_FOUND', message });
};

const fixture = useGateway();
const { http } = fixture;

describe('documents', () => {
  const document = {
    id: 'a/b',
    agent_id: 'ana',
    original_text: 'x',
    content_hash: null,
    created_at: time,
    updated_at: time,
    memory_unit_count: 1,
  };

  it('are listed per agent', async () => {
    fixture.services.answer(memoryQuery.listDocuments, () => ({ items: [], ...page }));
    expect((await http('GET', '/api/documents?agent_id=ana&q=x')).body).toEqual({ items: [], ...page });
    expect(fixture.asked(memoryQuery.listDocuments)[0]).toMatchObject({
      agentId: 'ana',
      q: 'x',
    });
  });

  it.each(['/api/documents', '/api/documents/x'])('need an agent: %s', async (path) => {
    const { status, body } = await http('GET', path);
    expect(status).toBe(422);
    expect(body.detail).toEqual([{ loc: ['query', 'agent_id'], msg: 'Field required', type: 'missing' }]);
  });

  it('are read by an id with any characters', async () => {
    fixture.services.answer(memoryQuery.getDocument, () => document);
    expect((await http('GET', '/api/documents/a%2Fb?agent_id=ana')).body).toEqual(document);
    expect(fixture.asked(memoryQuery.getDocument)[0]).toMatchObject({ documentId: 'a/b' });
  });

  it('are read as they are after a deletion that was answered before reads saw it', async () => {
    const { http: client, ...gateway } = await fixture.startAnother({});
    const behind = () => {
      throw new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message: 'not yet' });
    };
    fixture.services.answer(memoryIngest.deleteDocument, () => ({ unitsDeleted: 2, position: 'MEMORY:7' }));
    fixture.services.answer(memoryQuery.awaitPosition, () => ({ reached: false }));
    fixture.services.answer(memoryQuery.listDocuments, (request) =>
      request.minSequence === 7 ? behind() : { items: [], ...page },
    );
    expect((await client('DELETE', '/api/documents/x?agent_id=ana')).status).toBe(200);
    expect((await client('GET', '/api/documents?agent_id=ana')).status).toBe(503);
    expect((await client('GET', '/api/documents?agent_id=ben')).status).toBe(200);
    fixture.services.answer(memoryQuery.listDocuments, () => ({ items: [], ...page }));
    await client('GET', '/api/documents?agent_id=ana');
    await client('GET', '/api/documents?agent_id=ana');
    const asked = fixture.asked(memoryQuery.listDocuments);
    const ofAna = { agentId: 'ana', minSequence: 7 };
    expect(asked).toMatchObject([ofAna, { agentId: 'ben' }, ofAna, { agentId: 'ana' }]);
    expect(asked[3]).not.toHaveProperty('minSequence');
    await gateway.stop();
  });

  it('are read without their text on demand', async () => {
    fixture.services.answer(memoryQuery.getDocument, () => ({ ...document, original_text: '' }));
    await http('GET', '/api/documents/x?agent_id=ana&text=true');
    await http('GET', '/api/documents/x?agent_id=ana&text=false');
    const requests = fixture.asked(memoryQuery.getDocument);
    expect(requests).toEqual([
      { space: 'public', agentId: 'ana', documentId: 'x' },
      { space: 'public', agentId: 'ana', documentId: 'x', withoutText: true },
    ]);
    expect((await http('GET', '/api/documents/x?agent_id=ana&text=no')).status).toBe(422);
  });

  it('are 404 when unknown', async () => {
    fixture.services.answer(memoryQuery.getDocument, notFound('Document not found'));
    fixture.services.answer(memoryIngest.deleteDocument, notFound('Document not found'));
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await http(method, '/api/documents/x?agent_id=ana');
      expect([status, body.message]).toEqual([404, 'Document not found']);
    }
  });

  it('are deleted with their units', async () => {
    fixture.services.answer(memoryIngest.deleteDocument, () => ({ unitsDeleted: 3, position: 'MEMORY:9' }));
    const { status, headers, body } = await http('DELETE', '/api/documents/x?agent_id=ana');
    expect([status, headers['x-event-position']]).toEqual([200, 'MEMORY:9']);
    expect(body).toMatchObject({ success: true, document_id: 'x', agent_id: 'ana', memory_units_deleted: 3 });
  });
});

describe('operations', () => {
  it('are listed per agent', async () => {
    const operation: OperationList['operations'][number] = {
      id,
      task_type: 'batch_put',
      items_count: 1,
      document_id: null,
      created_at: time,
      status: 'failed',
      error_message: 'why',
      attempts: 5,
    };
    fixture.services.answer(memoryQuery.listOperations, ({ agentId }) => ({
      agent_id: agentId,
      operations: [operation],
    }));
    const { status, body } = await http('GET', '/api/operations/ana');
    expect([status, body]).toEqual([200, { agent_id: 'ana', operations: [operation] }]);
  });

  it('are cancelled', async () => {
    fixture.services.answer(memoryIngest.cancelOperation, () => ({ agentId: 'ana', position: 'MEMORY:3' }));
    const { status, headers, body } = await http('DELETE', `/api/operations/${id}`);
    const message = `Operation ${id} cancelled`;
    expect([status, body]).toEqual([200, { success: true, message, operation_id: id, agent_id: 'ana' }]);
    expect(headers['x-event-position']).toBe('MEMORY:3');
  });

  it('are 404 when unknown, finished or cancelled', async () => {
    const message = `Operation ${id} not found`;
    fixture.services.answer(memoryIngest.cancelOperation, notFound(message));
    fixture.services.answer(memoryIngest.retryOperation, notFound(message));
    fixture.services.answer(memoryQuery.operationStatus, notFound(message));
    for (const [method, path] of [
      ['DELETE', `/api/operations/${id}`],
      ['POST', `/api/operations/${id}/retry`],
      ['GET', `/api/operations/${id}/status`],
    ] as const) {
      const { status, body } = await http(method, path);
      expect([status, body.message]).toEqual([404, message]);
    }
  });

  it.each(['x', '1', `${id}x`, 'a b'])('are 400 when the id is not a UUID: %s', async (text) => {
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/retry'],
      ['GET', '/status'],
    ] as const) {
      const { status, body } = await http(method, `/api/operations/${encodeURIComponent(text)}${suffix}`);
      expect([status, body.message]).toEqual([400, `Invalid operation_id format: ${text}`]);
    }
  });

  const operation = operationReply();

  it('are retried, and shown with their new status', async () => {
    fixture.services.answer(memoryIngest.retryOperation, () => ({ position: 'MEMORY:5' }));
    fixture.services.answer(memoryQuery.operationStatus, () => operation);
    const { status, headers, body } = await http('POST', `/api/operations/${id.toUpperCase()}/retry`);
    expect([status, headers['x-event-position'], body]).toEqual([200, 'MEMORY:5', operation]);
    const asked = fixture.asked(memoryQuery.operationStatus)[0];
    expect(asked).toEqual({ space: 'public', operationId: id, minSequence: 5 });
  });

  it('are not retried when they have not failed', async () => {
    const message = `Operation ${id} is completed`;
    fixture.services.answer(memoryIngest.retryOperation, () => {
      throw new WireError({ status: 409, code: 'CONFLICT', message });
    });
    const { status, body } = await http('POST', `/api/operations/${id}/retry`);
    expect([status, body.code, body.message]).toEqual([409, 'CONFLICT', message]);
  });

  it('show their progress', async () => {
    fixture.services.answer(memoryQuery.operationStatus, () => operation);
    expect((await http('GET', `/api/operations/${id}/status`)).body).toEqual(operation);
  });
});
