import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { pack } from '../system/pack.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { callTool, compileCache, connectStdio, program, textOf, tryTool } from './mcp-client.ts';

const run = promisify(execFile);
const unreachable = 'http://127.0.0.1:9';

let system: SharedSystem;
let person: Person;
beforeAll(async () => {
  system = await shareSystem();
  person = await newPerson(system.http);
  return system.release;
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program, which is expected to end by itself. */
async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const own = { PATH: process.env.PATH, ...compileCache, ...env };
  const ended = run(process.execPath, [program, ...args], { env: own, timeout: 20_000 });
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );
}

test.each([
  [[], {}, /Missing: the address .* and an API key/],
  [[`${unreachable}/mcp`], { MNEME_API_KEY: 'sk-1' }, /cannot be reached/],
])('with %j it starts nothing and says what is missing (%#)', async (args, env, message) => {
  const { code, stdout, stderr } = await runProgram(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
  expect(stderr).toContain(`Usage: MNEME_API_KEY=sk-... node ${program} <url>`);
});

test('with a key that is bound to no agent, or not valid, it says what to do', async () => {
  const { key } = await createKey(person);
  const { code, stderr } = await runProgram([system.http.url], { MNEME_API_KEY: key });
  expect([code, stderr]).toEqual([1, expect.stringContaining('/mcp/{agent_id}')]);
  const invalid = await runProgram([system.http.url], { MNEME_API_KEY: 'sk-1' });
  expect(invalid.stderr).toContain('The credential is not valid');
});

test('with a key that is bound to an agent, the address is enough', async () => {
  const { key } = await createKey(person, { agent_id: 'dora' });
  for (const url of [system.http.url, `${system.http.url}/`, `${system.http.url}/mcp`]) {
    const client = await connectStdio({ url, credential: key });
    const { contents } = await client.readResource({ uri: 'mneme://profile' });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('"agent_id":"dora"') });
    await client.close();
  }
});

test('it starts while the server is away, and tools say so', async () => {
  const client = await connectStdio({ url: `${unreachable}/mcp/dora`, credential: 'sk-1' });
  const result = await tryTool(client, 'recall', { query: 'anything' });
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('does not mean that it is empty')]);
  await client.close();
});

test('packed, it is a program that runs with its dependencies and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const command = await install(folder);
  const { stderr } = await run(command, { env: { PATH: process.env.PATH } }).catch((error: Ended) => error);
  expect(stderr).toContain('Usage: MNEME_API_KEY=sk-... mneme-mcp <url>');
  const { key } = await createKey(person, { agent_id: 'packed' });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', MNEME_API_KEY: key };
  await client.connect(new StdioClientTransport({ command, args: [system.http.url], env }));
  expect(await callTool(client, 'remember', { content: 'It is packed.' })).toMatchObject({ status: 'stored' });
  await client.close();
});

/** Unpacks the program beside the dependencies that this repository has. @returns its path */
async function install(folder: string): Promise<string> {
  const source = join(import.meta.dirname, '../../packages/mcp');
  const target = join(folder, 'node_modules/@mneme/mcp');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', await pack(source, folder), '--strip-components=1'], { cwd: target });
  expect((await readdir(target)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  const { bin, dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['@mneme/client', '@modelcontextprotocol/sdk', 'zod']);
  expect(dependencies['@mneme/client']).toBe('0.1.0');
  for (const name of ['@mneme/client', '@modelcontextprotocol', 'zod']) {
    await symlink(await realpath(join(source, 'node_modules', name)), join(folder, 'node_modules', name));
  }
  return join(target, bin['mneme-mcp']);
}
