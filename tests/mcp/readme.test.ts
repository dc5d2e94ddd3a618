import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createKey, newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { callTool, connectHttp, type Endpoint } from './mcp-client.ts';

const address = 'http://localhost:8080';

let system: SharedSystem;
let readme: string;
beforeAll(async () => {
  system = await shareSystem();
  readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  return system.release;
});

/** The path behind the address of a local start in the README. */
function pathIn(pattern: RegExp): string {
  const url = pattern.exec(readme)?.[1] ?? 'nothing';
  if (!url.startsWith(address)) throw new Error(`The README has ${url} where an address at ${address} was expected`);
  return url.slice(address.length);
}

async function remembersAt(endpoint: Endpoint): Promise<unknown> {
  const client = await connectHttp(endpoint);
  await callTool(client, 'remember', { content: 'Carla moved to Lisbon.' });
  return callTool(client, 'recall', { query: 'Where does Carla live?' });
}

const found = { memories: [expect.objectContaining({ text: 'Carla moved to Lisbon.' })] };

test('the MCP command of the README connects with a key that is bound to an agent', async () => {
  const path = pathIn(/claude mcp add --transport http mneme (\S+) --header "Authorization: Bearer <key>"/);
  const { key } = await createKey(await newPerson(system.http), { agent_id: 'readme' });
  expect(await remembersAt({ url: `${system.http.url}${path}`, credential: key })).toMatchObject(found);
});

test('without a key, the address that the README names for a local start does', async () => {
  const url = `${system.http.url}${pathIn(/name the agent in the address, as in `([^`]+)`/)}`;
  expect(await remembersAt({ url })).toMatchObject({ memories: expect.arrayContaining(found.memories) });
});
