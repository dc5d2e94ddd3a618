import type { MemoryEvent } from '@mneme/contracts';
import { FencedError, type Projection } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { createHashedEmbeddings, createLexicalEncoder } from '@mneme/models';
import { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { StoredOperation } from '../read-model/collections.ts';
import { openReadModel, type ReadModel } from '../read-model/open-read-model.ts';
import { search } from '../search/search.ts';
import { createLogWriter } from '../testing/events.ts';
import { unitId } from '../units/unit-id.ts';
import { memoryProjection } from './memory-projection.ts';

let stack: Stack;
let client: MongoClient;
let qdrant: QdrantClient;
let readModel: ReadModel;
let project: () => Projection<MemoryEvent>;
let database = 0;

const embeddings = createHashedEmbeddings();
const lexical = createLexicalEncoder();

beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod', 'qdrant'] });
  client = await new MongoClient(stack.mongodbUrl).connect();
  qdrant = new QdrantClient({ url: stack.qdrantUrl, checkCompatibility: false });
});

afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

beforeEach(async () => {
  database += 1;
  const db = client.db(`test_${database}`);
  readModel = await openReadModel({ db, qdrant, embeddings }, 1);
  project = () => memoryProjection({ client, db, readModel, lexical });
  await project().readPosition();
});

async function find(query: string): Promise<string[]> {
  const request = { space: 'public', agentId: 'alice', query, factTypes: [], trace: false, questionDate: null };
  const { results } = await search(
    { ...readModel, embeddings, lexical },
    { ...request, reranker: 'heuristic', thinkingBudget: 10, maxTokens: 4096 },
  );
  return results.map(({ text }) => text);
}

async function pointCount(): Promise<number> {
  return (await qdrant.count(`test_${database}_units_1_${embeddings.name}`, { exact: true })).count;
}

it('makes facts searchable, by the agent that they belong to only', async () => {
  const log = createLogWriter();
  const other = createLogWriter('public', 'bob');
  const events = [log.submitted('a', null, 'x'), await log.extracted('a', null, 'Alice lives in Lisbon.')];
  const others = [other.submitted('b', null, 'x'), await other.extracted('b', null, 'Bob lives in Lisbon.')];
  await project().apply([...events, ...others], { from: 0, to: 4 });
  expect(await find('Who lives in Lisbon?')).toEqual(['Alice lives in Lisbon.']);
});

it('replaces a stored document and its units, in both stores', async () => {
  const log = createLogWriter();
  const first = [log.submitted('a', 'doc', 'x'), await log.extracted('a', 'doc', 'The tea is green.')];
  const second = [log.submitted('b', 'doc', 'y'), await log.extracted('b', 'doc', 'The tea is black.')];
  await project().apply(first, { from: 0, to: 2 });
  await project().apply(second, { from: 2, to: 4 });
  expect(await find('tea')).toEqual(['The tea is black.']);
  expect(await pointCount()).toBe(1);
});

it('forgets a stored unit, in both stores', async () => {
  const log = createLogWriter();
  const events = [log.submitted('a', null, 'x'), await log.extracted('a', null, 'The tea is green.', 'Milk is white.')];
  await project().apply(events, { from: 0, to: 2 });
  await project().apply([log.forgotten(unitId('a', 0))], { from: 2, to: 3 });
  expect(await find('tea')).toEqual([]);
  expect(await find('milk')).toEqual(['Milk is white.']);
  expect(await pointCount()).toBe(1);
});

it('writes nothing twice when a batch of events comes again', async () => {
  const log = createLogWriter();
  const events = [log.submitted('a', null, 'x'), await log.extracted('a', null, 'The tea is green.')];
  await project().apply(events, { from: 0, to: 2 });
  await expect(project().apply(events, { from: 0, to: 2 })).rejects.toThrow(FencedError);
  expect(await readModel.collections.units.countDocuments()).toBe(1);
  expect(await pointCount()).toBe(1);
});

it('leaves no trace of a projector that another one has overtaken', async () => {
  const log = createLogWriter();
  const first = [log.submitted('a', 'doc', 'x'), await log.extracted('a', 'doc', 'The tea is green.')];
  const second = [log.submitted('b', 'doc', 'y'), await log.extracted('b', 'doc', 'The tea is black.')];
  await project().apply([...first, ...second], { from: 0, to: 4 });
  await expect(project().apply(first, { from: 0, to: 2 })).rejects.toThrow(FencedError);
  expect(await find('tea')).toEqual(['The tea is black.']);
  expect(await pointCount()).toBe(1);
});

it('does not rely on rows that another projector has written since', async () => {
  const log = createLogWriter();
  const overtaken = project();
  await overtaken.apply([log.submitted('a', 'doc', 'x')], { from: 0, to: 1 });
  const facts = await log.extracted('a', 'doc', 'The tea is green.');
  await project().apply([facts], { from: 1, to: 2 });
  await expect(overtaken.apply([facts], { from: 1, to: 2 })).rejects.toThrow(FencedError);
  await overtaken.apply([await log.extracted('a', 'doc', 'The tea is black.')], { from: 2, to: 3 });
  const operation = await readModel.collections.operations.findOne({ _id: 'a' });
  expect(operation).toMatchObject({ status: 'completed', unitsCreated: 2 });
});

it('tells what it wrote of operations, and where it is', async () => {
  const told: [string[], number][] = [];
  const onApplied = (rows: Iterable<StoredOperation>, position: number) => {
    told.push([[...rows].map(({ _id, status }) => `${_id} ${status}`), position]);
  };
  const db = client.db(`test_${database}`);
  const projection = memoryProjection({ client, db, readModel, lexical, onApplied });
  const log = createLogWriter();
  await projection.apply([log.submitted('a', null, 'x')], { from: 0, to: 1 });
  await projection.apply([await log.extracted('a', null, 'The tea is green.')], { from: 1, to: 2 });
  await projection.apply([], { from: 2, to: 3 });
  expect(told).toEqual([
    [['a pending'], 1],
    [['a completed'], 2],
    [[], 3],
  ]);
});
