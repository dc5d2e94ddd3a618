import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memorySubjects } from '@mneme/contracts';
import { readAddress } from '@mneme/local-stack';
import { atFullLength, startTestStack } from '@mneme/local-stack/testing';
import { type ModelServer, startModelServer } from '@mneme/models/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { startNode } from '../system/node-process.ts';
import { newDataDir, type StartedCommand, startCommand, type Until } from '../system/start-command.ts';
import { isAtRest, openEventLog } from '../system/stores/event-log.ts';

test('memory is not served with another embedding model until `mneme reembed` has brought it over, which leaves the old vectors in place', async () => {
  const { model, served } = await startServed();
  const dataDir = await newDataDir();
  const first = startCommand(dataDir);
  const before = await live(await first.ready());
  expect(first.output()).toContain('embeddings by mneme-hash-512-v1');
  // What the opinions of the agent have not considered yet would be considered, and embedded, by the new model.
  await eventually('the facts are considered', () => isAtRest(readAddress(dataDir, 'nats-url') ?? ''));
  await first.kill('SIGTERM');

  const early = startCommand(dataDir, { environment: served });
  expect(await early.exited).toMatchObject({ code: 1 });
  expect(early.errors().trim()).toBe(
    'Mneme could not start. The stored memory was made with the embedding model mneme-hash-512-v1, not with ' +
      'openai:stand-in@64: start with EMBEDDING_MODEL=builtin:words again, or run `mneme reembed` with the new one to bring the memory over.',
  );

  const failed = mneme(['reembed'], {
    ...served,
    DATA_DIR: dataDir,
    EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1',
    LLM_MAX_RETRIES: '0',
  });
  expect(await failed.exited).toMatchObject({ code: 1 });
  expect(failed.errors()).toMatch(/the former embedding model stays in use\. openai:stand-in/);

  const reembedding = mneme(['reembed'], { ...served, DATA_DIR: dataDir });
  expect(await reembedding.exited).toMatchObject({ code: 0 });
  expect(reembedding.output()).toMatch(/Embedding with openai:stand-in@64 \[#{30}\] 100 %/);
  expect(reembedding.output()).toContain('The memory is for openai:stand-in@64 now');

  model.reset();
  const other = startCommand(dataDir, { environment: served });
  const http = await other.ready();
  expect(model.calls()).toBe(0);
  expect(await memories(http)).toEqual(before);
  const { body } = await http.post('/api/search', { agent_id: 'ana', query: 'Where does Ana live?' });
  expect(body.results[0].text).toBe('Ana lives in Lisbon.');
  expect(model.calls('embed')).toBe(1);
  const repeated = mneme(['reembed'], { ...served, DATA_DIR: dataDir });
  expect(await repeated.exited, 'it finds the start that runs').toMatchObject({ code: 0 });
  expect(repeated.output()).toContain('The memory is for openai:stand-in@64 now; and so are its answers');
});

describe.runIf(atFullLength)('a memory of a model that does not say how long its vectors are', () => {
  const closing = new AsyncDisposableStack();
  const until: Until = (end) => closing.defer(end);
  const servedBy = ({ url }: ModelServer) => ({ EMBEDDING_MODEL: 'openai:stand-in', EMBEDDING_BASE_URL: url });
  let usual: ModelServer;
  let memory: Memory;
  let command: StartedCommand;
  let http: HttpClient;
  beforeAll(async () => {
    usual = await startModelServer({ dimensions: 64 });
    until(() => usual.stop());
    memory = await emptyMemory(until);
  });
  afterAll(() => closing.disposeAsync());

  test('gets that model by the setting alone as long as nothing is stored in it', async () => {
    const first = memory.start({});
    await first.ready();
    expect(first.output()).toContain('embeddings by mneme-hash-512-v1');
    await first.kill('SIGTERM');

    command = memory.start(servedBy(usual));
    http = await command.ready();
    expect(command.output()).toContain('embeddings by openai:stand-in');
    await live(http);
    const { body } = await http.post('/api/search', { agent_id: 'ana', query: 'Where does Ana live?' });
    expect(body.results[0].text).toBe('Ana lives in Lisbon.');
    await eventually('all is considered', () => isAtRest(memory.natsUrl));
    await command.kill('SIGTERM');
  });

  test('starts without the server of that model, and searches when that answers', async () => {
    usual.replies.always('embed', { fault: 'disconnect' });
    command = memory.start({ ...servedBy(usual), LLM_MAX_RETRIES: '0' });
    http = await command.ready();
    const search = () => http.post('/api/search', { agent_id: 'ana', query: 'Who repairs clocks?' });
    expect(await search()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    await memories(http);
    usual.replies.clear();
    expect(await search()).toMatchObject({
      status: 200,
      body: { results: [{ text: 'Bob repairs clocks in Vienna.' }] },
    });
  });

  test('does not start when that length changes, and nothing that has such vectors blocks its agent', async () => {
    const other = await startModelServer({ dimensions: 65 });
    onTestFinished(() => other.stop());
    const { body: clocks } = await http.post('/api/search', { agent_id: 'ana', query: 'Who repairs clocks?' });
    await correctWithLength(65, { unitId: clocks.results[0].id, natsUrl: memory.natsUrl });
    const search = async (from: HttpClient) => {
      const { status, body } = await from.post('/api/search', { agent_id: 'ana', query: 'Who mends umbrellas?' });
      return [status, body.results?.[0]?.text];
    };
    await eventually('the fact is found by its words', async () => (await search(http))[1] === 'Eva mends umbrellas.');
    await eventually('all is considered', () => isAtRest(memory.natsUrl));
    await command.kill('SIGTERM');

    const refusal =
      'openai:stand-in gave vectors of 64 numbers when the memory was stored, and gives 65 now. Run `mneme reembed` with ' +
      'EMBEDDING_DIMENSIONS=65, or bring the former model back.';
    const early = memory.start(servedBy(other));
    expect(await early.exited).toMatchObject({ code: 1 });
    expect(early.errors().trim()).toBe(`Mneme could not start. ${refusal}`);
    const failed = memory.mneme(['reembed'], servedBy(other));
    expect(await failed.exited).toMatchObject({ code: 1 });
    expect(failed.errors()).toContain(refusal);

    const repairing = memory.mneme(['reembed'], servedBy(usual));
    expect(await repairing.exited).toMatchObject({ code: 0 });
    expect(repairing.output()).toContain('1 texts of 1 events were embedded.');

    const bringing = memory.mneme(['reembed'], { ...servedBy(other), EMBEDDING_DIMENSIONS: '65' });
    expect(await bringing.exited).toMatchObject({ code: 0 });
    const second = memory.start(servedBy(other));
    const brought = await second.ready();
    expect(second.output()).toContain('embeddings by openai:stand-in@65');
    expect(await search(brought)).toEqual([200, 'Eva mends umbrellas.']);
  });
});

/** As a start did that did not compare the length of the vectors. */
async function correctWithLength(length: number, { unitId, natsUrl }: { unitId: string; natsUrl: string }) {
  const log = await openEventLog(natsUrl);
  const agent = { space: 'public', agentId: 'ana' };
  const vector = Buffer.from(new Float32Array(length).fill(0.1).buffer).toString('base64');
  const by = { correctionId: 'correction', embeddingModel: 'openai:stand-in', extractor: 'test' };
  const unit = { unitId, text: 'Eva mends umbrellas.', eventDate: '2026-01-01T00:00:00.000Z', entities: [], vector };
  await log.append(memorySubjects.unit(agent, unitId), 'UnitCorrected', { ...agent, ...unit, ...by });
  await log.close();
}

/** A server of models, and the settings by which it embeds. */
async function startServed() {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  const served = { EMBEDDING_MODEL: 'openai:stand-in', EMBEDDING_BASE_URL: model.url, EMBEDDING_DIMENSIONS: '64' };
  return { model, served };
}

/** As if nothing was configured. */
const unset = { EMBEDDING_MODEL: '' };
const practising = [{ content: 'Ana practises the violin every evening.' }, { content: 'Ana had an apple for lunch.' }];
/** As on a machine where the files of the model are not available. */
const unavailable = { MNEME_MINILM: '/missing/model' };

test('a new memory compares meaning by default, and keeps that model', async () => {
  const { start } = await emptyMemory();
  const first = start(unset);
  const http = await first.ready();
  expect(first.output()).toContain('embeddings by mneme-minilm-384-v1');
  await http.post('/api/memories/batch', { agent_id: 'ana', items: practising });
  const { body } = await http.post('/api/search', { agent_id: 'ana', query: 'Who is a violinist?' });
  expect(body.results[0]?.text).toContain('practises the violin');
  await first.kill('SIGTERM');

  const other = start({ ...unset, ...unavailable });
  expect(await other.exited).toMatchObject({ code: 1 });
  expect(other.errors()).toMatch(
    /Mneme could not start\. The embedding model all-MiniLM-L6-v2 is not available as MNEME_MINILM says: .*missing/,
  );
});

test.runIf(atFullLength)(
  'a new memory without the files of the model compares words, says why, goes on with words when they are there, and follows a change then',
  async () => {
    const { start, mneme, dataDir } = await emptyMemory();
    const first = start({ ...unset, ...unavailable });
    const http = await first.ready();
    expect(first.output()).toMatch(
      /^This new memory compares words, not meaning \(builtin:words\), because the embedding model all-MiniLM-L6-v2 is not/m,
    );
    await http.post('/api/memories/batch', { agent_id: 'ana', items: practising });
    const ask = async (from: HttpClient, query: string) =>
      (await from.post('/api/search', { agent_id: 'ana', query })).body.results[0]?.text;
    const toMiniLm = ['reembed', '--model', 'builtin:minilm'];
    const stuck = mneme(toMiniLm);
    const log = () => readFile(join(dataDir, 'logs', 'mneme.log'), 'utf8');
    await eventually('it is said', async () => (await log()).includes('cannot be loaded with these settings'));
    expect(await ask(http, 'What had Ana for lunch?')).toBe('Ana had an apple for lunch.');
    expect(await mneme(['reembed', '--model', 'builtin:words']).exited).toMatchObject({ code: 0 });
    expect(await stuck.exited).toMatchObject({ code: 1 });
    expect(stuck.errors()).toContain('The change was given up by another run of this command.');
    expect(await ask(http, 'What had Ana for lunch?')).toBe('Ana had an apple for lunch.');
    await first.kill('SIGTERM');

    const second = start(unset);
    const able = await second.ready();
    expect(second.output()).toContain('embeddings by mneme-hash-512-v1');
    expect(second.output()).toMatch(
      /^The stored memory was made with builtin:words, which stays its embedding model; `mneme reembed`/m,
    );
    expect(await ask(able, 'Who is a violinist?')).toBeUndefined();
    const followed = mneme(toMiniLm);
    expect(await followed.exited).toMatchObject({ code: 0 });
    expect(followed.output()).toContain('Nothing was missing. The memory is for mneme-minilm-384-v1 now');
    expect(await ask(able, 'Who is a violinist?')).toContain('practises the violin');
  },
);

test('a model that is named and not available is no reason to compare words', async () => {
  const { start } = await emptyMemory();
  const command = start({ EMBEDDING_MODEL: 'builtin:minilm', ...unavailable });
  expect(await command.exited).toMatchObject({ code: 1 });
});

type Settings = Readonly<Record<string, string>>;

/** Stores facts and an opinion. */
async function live(http: HttpClient): Promise<unknown> {
  const items = [{ content: 'Ana lives in Lisbon.' }, { content: 'I believe that Ana likes the sea.' }];
  await http.post('/api/memories/batch', { agent_id: 'ana', items });
  await http.post('/api/memories/batch', { agent_id: 'ana', items: [{ content: 'Bob repairs clocks in Vienna.' }] });
  return memories(http);
}

async function memories(http: HttpClient): Promise<unknown> {
  const { body } = await http.get('/api/list?agent_id=ana');
  expect(body.total).toBe(3);
  return body;
}

type Memory = Awaited<ReturnType<typeof emptyMemory>>;

/** Starts and commands on a data folder, with servers that do not end in between. */
async function emptyMemory(until: Until = onTestFinished) {
  const { settings, natsUrl, stop } = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
  until(stop);
  const dataDir = await newDataDir(until);
  return {
    dataDir,
    natsUrl,
    start: (environment: Settings) => startCommand(dataDir, { environment: { ...settings, ...environment }, until }),
    mneme: (parameters: readonly string[], environment: Settings = {}) =>
      mneme(parameters, { NATS_URL: natsUrl, ...environment }),
  };
}

function mneme(parameters: readonly string[], environment: Settings) {
  const started = startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
  onTestFinished(async () => void (await started.kill()));
  return started;
}
