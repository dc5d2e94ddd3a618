import type { SearchReply } from '@mneme/contracts';
import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Binary, MongoClient } from 'mongodb';
import { beforeAll, expect, test } from 'vitest';
import { takeSnapshot } from '../failures/snapshot.ts';
import { eventually } from '../system/eventually.ts';
import { mneme } from '../system/mneme-command.ts';
import { type NodeProcess, startNode } from '../system/node-process.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';

const agentIds = ['one', 'two', 'three'];
const sentencesEach = scaled({ full: 2_000, short: 150 });
const searchesPerSecond = scaled({ full: 20, short: 2 });
const batchesPerSecond = scaled({ full: 5, short: 1 });
const words = 'mneme-hash-512-v1';
const minilm = 'mneme-minilm-384-v1';
const longestMs = 180_000;

/** What the words of the question do not find. */
const violin = { content: 'Ana practises the violin every evening.', query: 'Who is a violinist?' };

let system: System;
let nats: NatsConnection;
beforeAll(async () => {
  system = await startSystem({
    processes: 'each',
    services: memoryServices,
    environment: { LOG_LEVEL: 'info' },
  });
  nats = await connect({ servers: system.stack.natsUrl });
  for (const agent_id of agentIds) {
    const sentences = Array.from({ length: sentencesEach }, (_, n) => `Crate C${n} of ${agent_id} holds lemons.`);
    // Of much longer items, several sentences are one fact.
    for (let from = 0; from < sentences.length; from += 500)
      await store('batch', agent_id, sentences.slice(from, from + 500).join(' '));
    await store('batch', agent_id, violin.content);
  }
  return async () => {
    await nats.close();
    await system.stop();
  };
});

async function store(endpoint: 'batch' | 'batch_async', agent_id: string, content: string): Promise<void> {
  const { status, body } = await system.http.post(`/api/memories/${endpoint}`, { agent_id, items: [{ content }] });
  expect([status, body]).toEqual([200, expect.anything()]);
}

/** What an agent knows best, however little that is. */
async function best(agent_id: string, query: string): Promise<string | undefined> {
  return (await find(agent_id, query, { min_score: 0 }))[0];
}

async function find(agent_id: string, query: string, settings: object = {}): Promise<string[]> {
  const { status, body } = await system.http.post<SearchReply>('/api/search', { agent_id, query, ...settings });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.results.map(({ text }) => text);
}

/** The last event about the embedding model of the log. */
async function lastChange(): Promise<readonly [type: string, model: string]> {
  const manager = await jetstreamManager(nats);
  const message = await manager.streams.getMessage('MEMORY', { last_by_subj: 'memory.settings.embedding-model' });
  return [message?.header.get('ce-type') ?? '', message?.json<{ embeddingModel: string }>().embeddingModel ?? ''];
}

const until = (type: string, model: string) =>
  eventually(`${type} ${model}`, async () => `${await lastChange()}` === `${[type, model]}`, longestMs);

function startReembed(model: string): NodeProcess {
  const environment = { NATS_URL: system.stack.natsUrl };
  return startNode({ entry: 'packages/cli/src/main.ts', parameters: ['reembed', '--model', model], environment });
}

/** How many bytes the vectors of units take in the version that answers, each length once; 0 for units without a vector. */
async function vectorBytes(): Promise<number[]> {
  const client = await new MongoClient(system.stack.mongodbUrl).connect();
  try {
    const db = client.db('mneme_memory');
    const roles = await db.collection<{ _id: string; live: number }>('read_models').findOne({ _id: 'memory' });
    const units = db.collection<{ vector: Binary }>(`units@${roles?.live}`).find({}, { projection: { vector: 1 } });
    return [...new Set((await units.toArray()).map(({ vector }) => vector.length()))];
  } finally {
    await client.close();
  }
}

const allHave = (dimensions: number) =>
  eventually(`all have vectors of ${dimensions} numbers`, async () => `${await vectorBytes()}` === `${4 * dimensions}`);

/** Searches and stores at a steady pace; what is stored is of the agent `busy`. */
function startLoad(train: string) {
  const stored: string[] = [];
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();
  let searches = 0;
  let batches = 0;
  let outages = 0;
  let isOut = false;
  const each = (perSecond: number, work: () => Promise<void>) =>
    setInterval(() => {
      const [before, wasOut] = [outages, isOut];
      const isExcused = () => wasOut || isOut || outages !== before;
      const working = work()
        .catch((error: unknown) => void (isExcused() || failures.push(error)))
        .finally(() => underWay.delete(working));
      underWay.add(working);
    }, 1_000 / perSecond);
  const search = async () => {
    const agent = agentIds[searches++ % agentIds.length] ?? '';
    expect(await find(agent, 'What is in crate C77?')).toContain(`Crate C77 of ${agent} holds lemons.`);
  };
  const submit = async () => {
    const content = `Wagon W${batches++} of train ${train} carries pears.`;
    await store(batches % 2 === 0 ? 'batch' : 'batch_async', 'busy', content);
    stored.push(content);
  };
  const timers = [each(searchesPerSecond, search), each(batchesPerSecond, submit)];
  return {
    stored,
    failures,
    searches: () => searches,
    /** No one answers while its only instance does not run. */
    during: async (outage: () => Promise<void>) => {
      outages += 1;
      isOut = true;
      await outage();
      isOut = false;
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

test.runIf(atFullLength)(
  '`mneme reembed` changes the model while questions are answered, with kills of the command and of memory-query',
  async () => {
    expect(await best('one', violin.query)).not.toBe(violin.content);
    const load = startLoad('A1');
    const killed = startReembed('builtin:minilm');
    await killed.printed(/Embedding with mneme-minilm-384-v1 \[.*\] (?!0 %|100)\d+ %/, longestMs);
    await killed.kill();
    expect(await lastChange()).toEqual(['EmbeddingModelChosen', words]);
    await store('batch', 'before', violin.content);

    const command = startReembed('builtin:minilm');
    await until('EmbeddingModelChanging', minilm);
    await store('batch', 'during', violin.content);
    await store('batch_async', 'during-async', violin.content);
    const query = system.service('memory-query');
    await load.during(async () => {
      await query.kill();
      await query.start();
    });
    expect(await command.exited).toMatchObject({ code: 0 });
    expect(command.output()).toContain(`The memory is for ${minilm} now`);
    expect(await lastChange()).toEqual(['EmbeddingModelChosen', minilm]);
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.searches()).toBeGreaterThan(4);

    for (const agent of [...agentIds, 'before', 'during', 'during-async']) {
      const isFound = async () => (await best(agent, violin.query)) === violin.content;
      await eventually(`${agent} has it by its meaning`, isFound);
    }
    await store('batch', 'after', violin.content);
    // memory-ingest looks for a new model once a second; what it still embeds with the old one gets its vectors later.
    const isFound = async () => `${await find('after', violin.query)}` === violin.content;
    await eventually('what is stored afterwards is found by its meaning', isFound);
    await expectEachOnce(load.stored);
    await allHave(384);
  },
  400_000,
);

async function expectEachOnce(contents: readonly string[]): Promise<void> {
  const stored = async () => {
    const { body } = await system.http.get('/api/list?agent_id=busy&limit=1000');
    const texts: readonly string[] = body.items.map(({ text }: { text: string }) => text);
    return texts.filter((text) => contents.includes(text)).sort();
  };
  await expect.poll(stored).toEqual([...contents].sort());
}

test.runIf(atFullLength)('a rebuild afterwards gives the same, with every vector that was added', async () => {
  const agents = [...agentIds, 'busy', 'before', 'during', 'during-async', 'after'];
  const take = () => takeSnapshot(system.http, agents, []);
  const before = await eventually('nothing changes any more', async () => {
    const [first, second] = [await take(), await take()];
    return JSON.stringify(first) === JSON.stringify(second) && first;
  });
  expect((await mneme(system, 'rebuild', 'memory')).output).toContain('"rows"');
  expect(await take()).toEqual(before);
  for (const agent of agents.filter((each) => each !== 'busy'))
    expect(await best(agent, violin.query)).toBe(violin.content);
});

test.runIf(atFullLength)('the services keep the model of the log, whatever is configured', async () => {
  // Both are configured with the former model.
  await system.restartServices();
  expect(await best('one', violin.query)).toBe(violin.content);
  expect(system.service('memory-query').output()).toMatch(/EMBEDDING_MODEL is builtin:words, but .* builtin:minilm/);
});

test.runIf(atFullLength)(
  'a change back embeds what was stored since, and what a slow model has not embedded yet, with a kill of memory-ingest',
  async () => {
    const load = startLoad('B2');
    const command = startReembed('builtin:words');
    await until('EmbeddingModelChanging', words);
    const ingest = system.service('memory-ingest');
    await load.during(async () => {
      await ingest.kill();
      await ingest.start();
    });
    expect(await command.exited).toMatchObject({ code: 0 });
    await load.stop();
    expect(load.failures).toEqual([]);
    await expectEachOnce(load.stored);
    await allHave(512);
    expect(await lastChange()).toEqual(['EmbeddingModelChosen', words]);
  },
  400_000,
);
