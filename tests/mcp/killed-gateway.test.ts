import { beforeAll, expect, test } from 'vitest';
import { createKey, newPerson } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { callTool, connections, textOf, tryTool } from './mcp-client.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each' });
  return system.stop;
});

test('a session survives a kill -9 of the gateway: calls fail clearly, and work again when it is back', async () => {
  const { key } = await createKey(await newPerson(system.http), { agent_id: 'ana' });
  const endpoint = { url: `${system.http.url}/mcp`, credential: key };
  const overHttp = await connections.HTTP(endpoint);
  const overStdio = await connections.stdio(endpoint);
  await callTool(overHttp, 'remember', { content: 'Ana moved to Lisbon.' });
  await system.service('gateway').kill();

  await expect(overHttp.callTool({ name: 'list_memories' })).rejects.toThrow(/fetch failed/);
  const result = await tryTool(overStdio, 'list_memories');
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('could not be reached')]);

  await system.service('gateway').start();
  for (const client of [overHttp, overStdio]) {
    expect(await callTool(client, 'list_memories')).toMatchObject({ notice: expect.any(String) });
    await callTool(client, 'remember', { content: 'Ana works in Porto.' });
    await client.close();
  }
});

test('while memory cannot answer, a call says that this does not mean that it is empty', async () => {
  const client = await connections.HTTP({ url: `${system.http.url}/mcp/ana` });
  await system.service('memory-query').kill();
  const result = await tryTool(client, 'list_memories');
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('does not mean that it is empty')]);
  await system.service('memory-query').start();
  await expect.poll(async () => (await tryTool(client, 'list_memories')).isError, { timeout: 30_000 }).toBeFalsy();
});
