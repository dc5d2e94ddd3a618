import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Mneme } from '@mneme/client';
import { startModelServer } from '@mneme/models/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples');

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
});
afterAll(() => system.release());

interface Run {
  readonly token?: string;
  readonly parameters?: readonly string[];
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs an example to its end, as a user with nothing stored yet unless a token is given. */
async function run(name: string, { token, parameters = [], input = '', environment = {} }: Run = {}) {
  const apiKey = token ?? tokenOf((await newPerson(system.http)).userId);
  const { PATH, HOME, NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [join(examples, name, 'main.ts'), ...parameters], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, MNEME_URL: system.http.url, MNEME_API_KEY: apiKey, ...environment },
  });
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { output, errors, code };
}

/** The same for one that has to succeed. @returns what it prints */
async function outputOf(name: string, how?: Run): Promise<string> {
  const { code, errors, output } = await run(name, how);
  expect([code, errors]).toEqual([0, '']);
  return output;
}

test('each example has a README of few lines with the command that runs it', async () => {
  const names = (await readdir(examples, { withFileTypes: true })).filter((each) => each.isDirectory());
  const overview = await readFile(join(examples, 'README.md'), 'utf8');
  expect(names.length).toBeGreaterThanOrEqual(3);
  for (const { name } of names) {
    const readme = await readFile(join(examples, name, 'README.md'), 'utf8');
    expect([name, readme.split('\n').length <= 15, overview.includes(`](${name})`)]).toEqual([name, true, true]);
  }
});

test('the chat remembers, also in the next chat', async () => {
  const token = tokenOf((await newPerson(system.http)).userId);
  const first = await outputOf('chat', { token, input: 'My sister Carla lives in Lisbon.\n\n' });
  expect(first).toContain('bot: I will remember that.');
  const second = await outputOf('chat', { token, input: 'Where does Carla live?\n' });
  expect(second).toContain('bot: My sister Carla lives in Lisbon.');
});

test('the chat asks a model if there is a key, and says so if the model or Mneme cannot be reached', async () => {
  const model = await startModelServer();
  const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url };
  const answered = await outputOf('chat', { input: 'Good morning.\n', environment });
  await model.stop();
  expect(answered).toMatch(/bot: \S/);
  const unreachable = { MNEME_URL: 'http://127.0.0.1:9', ...environment };
  const failed = await run('chat', { input: 'Good morning.\n', environment: unreachable });
  expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('npm start')]);
});

test('a variable that is empty counts as not set: without a key, the memory is that of everybody', async () => {
  const model = await startModelServer();
  const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url, OPENAI_MODEL: '' };
  await outputOf('chat', { token: '', input: 'Good morning.\n', environment });
  await model.stop();
  expect(model.requests[0]?.body).toMatchObject({ model: 'gpt-4o-mini' });
  await outputOf('coding-agent', { token: '' });
});

test('the coding agent knows in its second session what it learned in the first one', async () => {
  const told = await outputOf('coding-agent');
  const [, second = ''] = told.split('Second session');
  expect(second).toContain('vitest');
  const unreachable = await run('coding-agent', { environment: { MNEME_URL: 'http://127.0.0.1:9' } });
  expect([unreachable.code, unreachable.errors]).toEqual([1, expect.stringContaining('npm start')]);
});

test('the LangGraph agent knows in one thread what was said in another one, and counts on', async () => {
  const token = tokenOf((await newPerson(system.http)).userId);
  const first = await outputOf('langgraph-agent', { token });
  expect(first).toContain('bot: My sister Carla lives in Lisbon.');
  expect(first).toContain('Messages so far: 2');
  const second = await outputOf('langgraph-agent', { token, parameters: ['Where does Carla live?'] });
  expect(second).toContain('bot: My sister Carla lives in Lisbon.');
  expect(second).toContain('Messages so far: 3');
  const agent = new Mneme({ baseUrl: system.http.url, apiKey: token }).agent('langgraph-example');
  const memories = (await agent.memories.list().all()).map((memory) => memory.text);
  expect(memories).toContain('My sister Carla lives in Lisbon.');
  expect(memories.join('\n')).not.toContain('count:');
});

test('the LangGraph agent answers what its README asks, with nothing stored before', async () => {
  const readme = await readFile(join(examples, 'langgraph-agent', 'README.md'), 'utf8');
  const [, documented = ''] = /npm run example langgraph-agent (".*)/.exec(readme) ?? [];
  const parameters = Array.from(documented.matchAll(/"(.*?)"/g), ([, parameter = '']) => parameter);
  const output = await outputOf('langgraph-agent', { parameters });
  expect(output.match(/^bot: .*$/gm)?.at(-1)).toContain('Lisbon');
});

test('the LangGraph agent asks a model if there is a key', async () => {
  const model = await startModelServer();
  const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url };
  const output = await outputOf('langgraph-agent', { parameters: ['Good morning.'], environment });
  await model.stop();
  expect(output).toMatch(/bot: \S/);
});

test('a GitHub delivery becomes a row, one more at each run', async () => {
  const token = tokenOf((await newPerson(system.http)).userId);
  for (const rows of [1, 2]) {
    const output = await outputOf('github-webhook', { token });
    expect(output.match(/'octocat\/hello-world'/g)).toHaveLength(rows);
  }
  const key = await run('github-webhook', { token: 'sk-wrong' });
  expect([key.code, key.errors]).toEqual([1, expect.stringContaining('token of a user')]);
});
