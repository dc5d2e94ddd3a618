import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { pack } from '../system/pack.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '../../packages/client');
/** A registry that cannot be reached. */
const offline = { ...process.env, npm_config_registry: 'http://127.0.0.1:9', npm_config_offline: 'true' };

let system: SharedSystem;
/** An empty project with the packed client. */
let project: string;
beforeAll(async () => {
  system = await shareSystem();
  project = await mkdtemp(join(tmpdir(), 'mneme-client-'));
  const tarball = await pack(packageFolder, project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project, env: offline });
  return async () => {
    await rm(project, { recursive: true });
    await system.release();
  };
});

async function readme(): Promise<string> {
  return readFile(join(project, 'node_modules/@mneme/client/README.md'), 'utf8');
}

function blockIn(text: string, language: string): string {
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? '';
}

/** What an example prints that a program of this project runs. */
async function printedBy(example: string): Promise<string> {
  const { userId } = await newPerson(system.http);
  await writeFile(join(project, 'example.js'), example.replace('http://127.0.0.1:8080', system.http.url));
  const env = { ...process.env, MNEME_API_KEY: tokenOf(userId) };
  return (await run(process.execPath, ['example.js'], { cwd: project, env })).stdout;
}

test('the example of its README prints what the README says', async () => {
  expect(await printedBy(blockIn(await readme(), 'js'))).toBe(blockIn(await readme(), 'text'));
});

test('the example with which the README of Mneme begins finds what it stores', async () => {
  const mneme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(await printedBy(blockIn(mneme, 'js'))).toMatch(/^Carla: I moved to Lisbon last spring .*\n$/);
});

test('it consists of its build, and nothing else is installed with it', async () => {
  expect(await readdir(join(project, 'node_modules/@mneme'))).toEqual(['client']);
  expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@mneme']);
  const files = await readdir(join(project, 'node_modules/@mneme/client'));
  expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('a CommonJS program can require it', async () => {
  await writeFile(join(project, 'required.cjs'), "console.log(new (require('@mneme/client').Mneme)().agent('a').id)");
  expect((await run(process.execPath, ['required.cjs'], { cwd: project })).stdout).toBe('a\n');
});

/** The libraries that the subpaths are for; a program that uses one has it. */
const adapted: Readonly<Record<string, string>> = {
  'ai-sdk': 'ai',
  langgraph: '@langchain/langgraph',
  'openai-agents': '@openai/agents',
};

test('it imports nothing but its own files, so that it runs anywhere, and an adapter its library', async () => {
  const dist = join(project, 'node_modules/@mneme/client/dist');
  const files = (await readdir(dist, { recursive: true })).filter((name) => /\.(js|d\.ts)$/.test(name));
  expect(files).toContain('index.js');
  for (const file of files) {
    const source = await readFile(join(dist, file), 'utf8');
    const statements = /\bfrom\s+['"]([^'"\n]+)['"];$|\bimport\s*\(?['"]([^'"\n]+)['"]/gm;
    const imported = [...source.matchAll(statements)].map(([, name, other]) => name ?? other);
    const library = adapted[file.split('/')[0] ?? ''];
    const others = imported.filter((name) => !name?.startsWith('.') && name !== library);
    expect([file, others]).toEqual([file, []]);
  }
});

const typed = `
import { type Agent, type Item, Mneme, MnemeError, type SearchResult } from '@mneme/client';

const agent: Agent = new Mneme({ apiKey: () => 'sk-1', fetch }).agent('alice');
const item: Item = { content: 'x', eventDate: new Date(), role: 'user', metadata: { topic: 'y' } };
const { items_count }: { items_count: number } = await agent.remember([item, 'y'], { mode: 'append' });
const { results } = await agent.recall('q', { types: ['world'], signal: AbortSignal.timeout(items_count) });
const texts: string[] = results.map(({ text }: SearchResult) => text);
for await (const { fact_type } of agent.memories.list()) texts.push(fact_type);
// @ts-expect-error: no such type of facts
await agent.recall('q', { types: ['nonsense'] });
// @ts-expect-error: options have camelCase names
await agent.recall('q', { max_tokens: 3 });
export const isRefused = (error: unknown) => error instanceof MnemeError && error.status === 403;
`;

test('its types are those of the API, for the compiler that most projects have', async () => {
  await writeFile(join(project, 'typed.ts'), typed);
  const compiler = join(packageFolder, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  const { stdout } = await run(process.execPath, [compiler, ...strict, 'typed.ts'], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
