import type { CreatedKeyReply } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';
import { callTool, connectHttp, connectStdio, textOf, tryTool } from './mcp-client.ts';

let system: SharedSystem;
let person: Person;
/** Memories of an agent that some may not access. */
let secret: { readonly id: string; readonly operationId: string };
beforeAll(async () => {
  system = await shareSystem();
  person = await newPerson(system.http);
  const { body } = await person.http.post('/api/memories/batch', {
    agent_id: 'bob',
    document_id: 'diary',
    items: [{ content: 'Bob hides the treasure under the oak.' }],
  });
  secret = { id: body.items[0].units[0].id, operationId: body.operation_id };
  return system.release;
});

const keyWith = (fields: object = {}): Promise<CreatedKeyReply> => createKey(person, fields);
const at = (path: string) => `${system.http.url}${path}`;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const protocol = { accept: 'application/json, text/event-stream' };
const post = (path: string, headers = {}, message: unknown = ping) =>
  system.http.post(path, message, { ...protocol, ...headers });
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

describe('the agent', () => {
  test('is that of the key, or of the address', async () => {
    const { key } = await keyWith({ agent_id: 'alice' });
    for (const path of ['/mcp', '/mcp/alice']) {
      const client = await connectHttp({ url: at(path), credential: key });
      const profile = await client.readResource({ uri: 'mneme://profile' });
      expect(profile.contents[0]).toMatchObject({ text: expect.stringContaining('"agent_id":"alice"') });
    }
  });

  test('is asked for where neither names it', async () => {
    const { key } = await keyWith();
    expect(await post('/mcp', bearer(key))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    await expect(connectHttp({ url: at('/mcp'), credential: key })).rejects.toThrow('/mcp/{agent_id}');
  });

  test('of a bound key is the only one that it reaches, by address', async () => {
    const { key } = await keyWith({ agent_id: 'alice' });
    expect(await post('/mcp/bob', bearer(key))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    await expect(connectHttp({ url: at('/mcp/bob'), credential: key })).rejects.toThrow('bound to another agent');
  });

  test.each([{ agent_id: 'alice' }, {}])(
    'is the only one that tools and resources reach, with a key %j',
    async (fields) => {
      const { key } = await keyWith(fields);
      const clients = [
        await connectHttp({ url: at('/mcp/alice?tools=admin'), credential: key }),
        await connectStdio({ url: at('/mcp/alice?tools=admin'), credential: key }),
      ];
      for (const client of clients) {
        expect((await callTool(client, 'recall', { query: 'Where is the treasure under the oak?' })).memories).toEqual(
          [],
        );
        expect((await callTool(client, 'list_memories', { q: 'treasure' })).total).toBe(0);
        const attempts: [string, object][] = [
          ['get_memory', { id: secret.id }],
          ['correct_memory', { id: secret.id, text: 'Bob has no treasure.' }],
          ['forget', { id: secret.id }],
          ['get_document', { id: 'diary' }],
          ['recall', { query: 'treasure', agent_id: 'bob' }],
          ['list_memories', { agent_id: 'bob' }],
          ['remember', { content: 'x', agent_id: 'bob' }],
          ['get_operation', { id: secret.operationId }],
          ['cancel_operation', { id: secret.operationId }],
          ['retry_operation', { id: secret.operationId }],
          ['erase_agent', { confirm_agent_id: 'bob' }],
        ];
        for (const [name, args] of attempts) {
          const result = await tryTool(client, name, args);
          expect([name, result.isError, textOf(result).includes('oak')]).toEqual([name, true, false]);
        }
        for (const uri of ['mneme://documents/diary', `mneme://operations/${secret.operationId}`]) {
          await expect(client.readResource({ uri })).rejects.toThrow();
        }
        expect((await client.listResources()).resources).toHaveLength(1);
        await client.close();
      }
      const { body } = await person.http.get(`/api/memory/${secret.id}`);
      expect(body.text).toContain('oak');
    },
  );
});

describe('a key', () => {
  test('that may only read writes nothing', async () => {
    const { key } = await keyWith({ scopes: ['memory:read'] });
    for (const connect of [connectHttp, connectStdio]) {
      const client = await connect({ url: at('/mcp/bob'), credential: key });
      expect((await callTool(client, 'get_memory', { id: secret.id })).memory.text).toContain('oak');
      expect((await callTool(client, 'think', { query: 'Where is the treasure?' })).answer).toContain('oak');
      for (const [name, args] of [
        ['remember', { content: 'Bob moved.' }],
        ['correct_memory', { id: secret.id, text: 'Nothing.' }],
        ['forget', { id: secret.id }],
      ] as const) {
        const result = await tryTool(client, name, args);
        expect([name, result.isError, textOf(result)]).toEqual([name, true, expect.stringContaining('memory:write')]);
      }
      await client.close();
    }
    expect((await person.http.get('/api/list?agent_id=bob')).body.total).toBe(1);
  });

  test('without any scope may connect, and is told what it lacks', async () => {
    const { key } = await keyWith({ scopes: ['billing'] });
    const client = await connectHttp({ url: at('/mcp/bob'), credential: key });
    expect(textOf(await tryTool(client, 'recall', { query: 'treasure' }))).toContain('memory:read');
    await expect(client.listResources()).rejects.toThrow('memory:read');
    await expect(client.getPrompt({ name: 'start_session' })).rejects.toThrow('memory:read');
  });

  test('that is revoked ends the session with the next call', async () => {
    const { id, key } = await keyWith();
    const overHttp = await connectHttp({ url: at('/mcp/bob'), credential: key });
    const overStdio = await connectStdio({ url: at('/mcp/bob'), credential: key });
    await callTool(overHttp, 'list_memories');
    await callTool(overStdio, 'list_memories');
    await person.http.delete(`/api/v3/api-keys/${id}?project_id=${person.projectId}`);
    await expect(overHttp.callTool({ name: 'list_memories' })).rejects.toMatchObject({ code: 401 });
    await expect(overHttp.listTools()).rejects.toMatchObject({ code: 401 });
    const result = await tryTool(overStdio, 'list_memories');
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('set a valid key')]);
    await overStdio.close();
  });

  test('past its rate limit says how long to wait; requests are counted once', async () => {
    const { key } = await keyWith({ rate_limit: 3 });
    const client = await connectHttp({ url: at('/mcp/bob'), credential: key });
    await client.listTools();
    for (let calls = 0; calls < 3; calls += 1) await callTool(client, 'list_memories');
    const result = await tryTool(client, 'list_memories');
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/Wait \d+ s/)]);
  });

  test('works in its own space, as users work in theirs', async () => {
    const stranger = await newPerson(system.http);
    const client = await connectHttp({ url: at('/mcp/bob'), credential: tokenOf(stranger.userId) });
    expect((await callTool(client, 'list_memories')).total).toBe(0);
    const own = await connectHttp({ url: at('/mcp/bob'), credential: tokenOf(person.userId) });
    expect((await callTool(own, 'list_memories')).total).toBe(1);
    const message = { ...ping, method: 'tools/call', params: { name: 'list_memories' } };
    const headers = { ...bearer(tokenOf(stranger.userId)), 'x-space-id': String(person.spaceId) };
    expect((await post('/mcp/bob', headers, message)).body.result).toMatchObject({ isError: true });
  });

  test.each(['sk-0123456789abcdef0123456789abcdef', 'nonsense'])('that is not valid is 401: %s', async (credential) => {
    const { status, headers } = await post('/mcp/bob', bearer(credential));
    expect([status, headers.has('www-authenticate')]).toEqual([401, true]);
    expect((await post('/mcp/bob', { 'x-api-key': credential })).status).toBe(401);
  });

  test('is needed where the memory area needs one', async () => {
    const gateway = await system.addGateway({ MEMORY_AUTH: 'required' });
    expect((await gateway.http.post('/mcp/bob', ping, protocol)).status).toBe(401);
    const { key } = await keyWith();
    expect((await gateway.http.as(key).post('/mcp/bob', ping, protocol)).status).toBe(200);
  });
});

describe('administration', () => {
  test('is offered on request only, and to those who may do it', async () => {
    const toolsOf = async (path: string, scopes: string[]) => {
      const { key } = await keyWith({ scopes });
      const client = await connectHttp({ url: at(path), credential: key });
      return (await client.listTools()).tools.map(({ name }) => name).slice(8);
    };
    expect(await toolsOf('/mcp/bob', ['*'])).toEqual([]);
    const reading = ['list_operations', 'get_operation', 'get_profile'];
    expect((await toolsOf('/mcp/bob?tools=admin', ['memory:read'])).toSorted()).toEqual(reading.toSorted());
    const writing = ['retry_operation', 'cancel_operation', 'update_profile', 'erase_agent'];
    expect((await toolsOf('/mcp/bob?tools=admin', ['*'])).toSorted()).toEqual([...reading, ...writing].toSorted());
    const { key } = await keyWith();
    expect((await post('/mcp/bob?tools=all', bearer(key))).body.detail).toMatchObject([{ loc: ['query', 'tools'] }]);
  });

  test('changes the profile, shows operations and erases the agent', async () => {
    const { key } = await keyWith({ agent_id: 'carol' });
    const client = await connectHttp({ url: at('/mcp?tools=admin'), credential: key });
    await client.listTools();
    const { operation_id } = await callTool(client, 'remember', { content: 'Carol sings.', wait_seconds: 0 });
    expect(await callTool(client, 'get_operation', { id: operation_id })).toMatchObject({ id: operation_id });
    await expect.poll(async () => (await callTool(client, 'list_operations')).operations).toEqual([]);
    await callTool(client, 'update_profile', { background: 'I sing.', personality: { openness: 0.9 } });
    expect(await callTool(client, 'get_profile')).toMatchObject({
      background: 'I sing.',
      personality: { openness: 0.9, neuroticism: 0.5 },
    });
    expect((await tryTool(client, 'erase_agent', { confirm_agent_id: 'Carol' })).isError).toBe(true);
    expect(await callTool(client, 'erase_agent', { confirm_agent_id: 'carol' })).toEqual({
      agent_id: 'carol',
      memories_deleted: 1,
    });
    expect((await callTool(client, 'list_memories')).total).toBe(0);
  });
});

describe('a request', () => {
  test('without a credential is one of the public space, where that is allowed', async () => {
    const client = await connectHttp({ url: at('/mcp/mcp-public') });
    expect(await callTool(client, 'remember', { content: 'The park is open.' })).toMatchObject({ status: 'stored' });
  });

  test('of a page of another origin is refused', async () => {
    for (const origin of ['http://attacker.example', 'null', 'http://localhost:1']) {
      expect((await post('/mcp/bob', { origin })).status).toBe(403);
    }
    expect((await post('/mcp/bob', { origin: system.http.url })).status).toBe(200);
    const gateway = await system.addGateway({ CORS_ORIGINS: 'https://app.example' });
    const headers = { ...protocol, origin: 'https://app.example' };
    expect((await gateway.http.post('/mcp/bob', ping, headers)).status).toBe(200);
  });

  test('has one of three methods; streams and sessions there are none', async () => {
    for (const path of ['/mcp', '/mcp/bob']) {
      const answer = await system.http.get(path, { accept: 'text/event-stream' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      expect((await system.http.delete(path)).status).toBe(405);
    }
  });

  test('that is not MCP is refused in the way of the protocol, or of HTTP', async () => {
    const send = (body: string, headers = {}) =>
      system.http.send('/mcp/bob', {
        method: 'POST',
        body,
        headers: { ...protocol, 'content-type': 'application/json', ...headers },
      });
    expect(await send('{')).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect(await send('')).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect(await send('{"jsonrpc":"2.0"}')).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect((await send(JSON.stringify(ping), { accept: 'text/html' })).status).toBe(406);
    expect((await send(JSON.stringify(ping), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(JSON.stringify(ping), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await send('['.repeat(2_000))).status).toBe(422);
    expect((await send(`"${'x'.repeat(6 * 1_024 * 1_024)}"`)).status).toBe(413);
    expect(await send(JSON.stringify({ ...ping, method: 'nonsense' }))).toMatchObject({
      status: 200,
      body: { error: { code: -32_601 } },
    });
    expect((await send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))).status).toBe(202);
  });

  test('has one id in its response, in logs and in events', async () => {
    const message = { ...ping, method: 'tools/call', params: { name: 'remember', arguments: { content: 'Id.' } } };
    const { key } = await keyWith({ agent_id: 'ids' });
    const { headers, body } = await post('/mcp', { ...bearer(key), 'x-request-id': 'mcp-request-1' }, message);
    expect(headers.get('x-request-id')).toBe('mcp-request-1');
    const { id } = body.result.structuredContent.memories[0];
    const unit = await system.http.as(key).get(`/api/memory/${id}`);
    expect(unit.body.origin).toMatchObject({ request_id: 'mcp-request-1', principal: { kind: 'key' } });
  });
});
