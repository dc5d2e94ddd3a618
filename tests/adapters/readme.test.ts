import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ModelServer, startModelServer } from '@mneme/models/testing';
import { beforeAll, expect, test } from 'vitest';
import { pack } from '../system/pack.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '../../packages/client');
const libraries = ['@langchain/core', '@langchain/langgraph', '@openai/agents', 'ai'];

let system: SharedSystem;
let model: ModelServer;
let readme: string;
/** A project with the packed client and the libraries that it has adapters for. */
let project: string;
beforeAll(async () => {
  system = await shareSystem();
  model = await startModelServer();
  readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  project = await realpath(await mkdtemp(join(tmpdir(), 'mneme-adapters-')));
  const tarball = await pack(packageFolder, project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const client = join(project, 'node_modules/@mneme/client');
  await mkdir(client, { recursive: true });
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', client]);
  for (const library of libraries) {
    const link = join(project, 'node_modules', library);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(packageFolder, 'node_modules', library)), link);
  }
  return async () => {
    await rm(project, { recursive: true });
    await model.stop();
    await system.release();
  };
});

const prelude = `
import { Mneme } from '@mneme/client';
const mneme = new Mneme({ baseUrl: process.env.MNEME_URL, apiKey: process.env.MNEME_API_KEY });
const alice = mneme.agent('alice');
await alice.remember('Carla lives in Lisbon.');
`;

/** Runs the example of a section with what it takes for granted before it, and code behind it that prints something. */
async function runSection(title: string, { before = '', after = '' }): Promise<string> {
  const section = readme.slice(readme.indexOf(`\n## ${title}\n`));
  const example = /```js\n(.*?)```/s.exec(section)?.[1] ?? '';
  expect(example).toContain('@mneme/client/');
  await writeFile(join(project, 'example.js'), [prelude, before, example, after].join('\n'));
  const token = tokenOf((await newPerson(system.http)).userId);
  const address = { MNEME_URL: system.http.url, MNEME_API_KEY: token };
  const provider = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', OPENAI_AGENTS_DISABLE_TRACING: '1' };
  const env = { ...process.env, ...address, ...provider };
  return (await run(process.execPath, ['example.js'], { cwd: project, env })).stdout;
}

test('the graph of the README recalls for a model what was remembered in another thread', async () => {
  const before = `
    import { AIMessage, HumanMessage } from '@langchain/core/messages';
    const callModel = ({ recalled }) => ({ messages: [new AIMessage(recalled || 'Nothing.')] });`;
  const after = `
    for (const [thread_id, text] of [['1', 'Dan lives in Rome.'], ['2', 'Where does Dan live?']]) {
      const said = { messages: [new HumanMessage(text)] };
      const { messages } = await graph.invoke(said, { configurable: { user_id: 'u1', thread_id } });
      console.log(messages.at(-1).text);
    }`;
  const output = await runSection('LangGraph', { before, after });
  expect(output).toMatch(/^Nothing\.\n<recalled_memories>.*Dan lives in Rome\./s);
});

test('the model of the README is given what is recalled', async () => {
  const before = `
    import { MockLanguageModelV4 } from 'ai/test';
    const yourModel = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => ({
        content: [{ type: 'text', text: JSON.stringify(prompt) }],
        finishReason: { unified: 'stop' },
        usage: { inputTokens: {}, outputTokens: {} },
        warnings: [],
      }),
    });`;
  const output = await runSection('AI SDK', {
    before,
    after: 'console.log(text, yourModel.doGenerateCalls[1].tools.length);',
  });
  expect(output).toMatch(/Carla lives in Lisbon.* 2\n$/s);
});

test('the session of the README has the question and the answer', async () => {
  const before = `
    import { setOpenAIAPI, setTracingDisabled } from '@openai/agents';
    setOpenAIAPI('chat_completions');
    setTracingDisabled(true);`;
  const after = 'console.log(finalOutput.length > 0, (await session.getItems()).map(({ role }) => role).join());';
  expect(await runSection('OpenAI Agents SDK', { before, after })).toBe('true user,assistant\n');
});
