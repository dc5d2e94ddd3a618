import {
  agentKey,
  type Entity,
  embeddedIn,
  type MemoryEvent,
  type MemoryEventOf,
  unitsOf,
  withVectors,
} from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { embeddedText } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { storedLinks } from '../testing/rows.ts';
import { affectedOpinions, heldOpinions, storedOpinions } from './queries.ts';

const agent = { space: 'public', agentId: 'alice' };
const eventDate = '2026-01-01T00:00:00.000Z';
const boats = 'I believe that Ana likes boats on the river.';
const trains = 'I think that night trains are a fine way to travel.';
const id = unitId('thought', 0);

const stores = useStores();

async function vectorOf(text: string): Promise<string> {
  const [vector = new Float32Array()] = await stores.embeddings.embed([embeddedText({ text })]);
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

type LogWriter = ReturnType<typeof createLogWriter>;

async function formed(log: LogWriter, ...texts: string[]) {
  const ana = { name: 'Ana', type: 'PERSON' as const };
  const opinion = async (text: string) => {
    return { text, confidence: 0.6, entities: [ana], eventDate, vector: await vectorOf(text) };
  };
  const by = { former: 'test', promptVersion: 'v1', embeddingModel: stores.embeddings.name };
  const data = { ...agent, thoughtId: 'thought', opinions: await Promise.all(texts.map(opinion)), ...by };
  return log.record<MemoryEventOf<'OpinionsFormed'>>({ type: 'OpinionsFormed', data });
}

interface Change {
  readonly text?: string;
  readonly confidence?: number;
  readonly entities?: Entity[];
}

async function revised(log: LogWriter, change: Change) {
  const vector = change.text === undefined ? null : await vectorOf(change.text);
  const by = { former: 'test', promptVersion: 'v1', embeddingModel: stores.embeddings.name };
  const data = {
    ...agent,
    unitId: id,
    verdict: 'rewrite' as const,
    because: 'x',
    eventDate,
    vector,
    entities: null,
    ...by,
  };
  return log.record<MemoryEventOf<'OpinionRevised'>>({
    type: 'OpinionRevised',
    data: { text: boats, confidence: 0.6, ...data, ...change },
  });
}

/** Applies the events to an empty read model, `size` at once. */
async function applied(events: readonly Recorded<MemoryEvent>[], size: number) {
  const { readModel, applyCut } = await stores.open();
  await applyCut(events, [size]);
  return readModel;
}

describe('an opinion', () => {
  it('of an agent that was erased while it was being formed is stored nowhere', async () => {
    const log = createLogWriter();
    const created = log.record<MemoryEvent>({ type: 'AgentCreated', data: agent });
    const erased = log.erased();
    const late = await formed(log, boats);
    const opened = await stores.open();
    for (const event of [created, erased, { ...late, data: { ...late.data, readAt: 1 } }]) await opened.apply([event]);
    const { agents, units } = opened.readModel.collections;
    expect([await agents.countDocuments(), await units.countDocuments(), await opened.countPoints()]).toEqual([
      0, 0, 0,
    ]);
  });

  it('becomes a unit with its confidence, and is linked like any other', async () => {
    const log = createLogWriter();
    const facts = await log.batch('a', null, 'Alice sold a boat.');
    const { collections } = await applied([...facts, await formed(log, boats, trains)], 10);
    const found = await collections.units.find({ factType: 'opinion' }).sort({ ordinal: 1 }).toArray();
    expect(found).toMatchObject([
      { _id: id, text: boats, confidence: 0.6, operationId: 'thought', documentId: null, ordinal: 2 },
      { text: trains, ordinal: 3 },
    ]);
    const links = await storedLinks(collections);
    expect(links.filter(({ type, to }) => type === 'entity' && to === unitId('thought', 1))).toHaveLength(1);
  });

  it.each([1, 10])('is surer or less sure after a revision, however the log is cut (%i)', async (size) => {
    const log = createLogWriter();
    const events = [
      await formed(log, boats),
      await revised(log, { confidence: 0.7 }),
      await revised(log, { confidence: 0.3 }),
    ];
    const { collections } = await applied(events, size);
    expect(await collections.units.find({}).toArray()).toMatchObject([{ text: boats, confidence: 0.3, ordinal: 1 }]);
  });

  it.each([1, 2, 10])('is found by its new words after it was rewritten, however the log is cut (%i)', async (size) => {
    const log = createLogWriter();
    const text = 'I believe that Ana fears deep water.';
    const events = [
      await formed(log, boats, trains),
      await revised(log, { text, confidence: 0.8 }),
      await revised(log, { text, confidence: 0.9 }),
    ].map((event) => (event.type === 'OpinionRevised' && event.data.confidence === 0.9 ? withoutVector(event) : event));
    const { collections, vectors } = await applied(events, size);
    expect(await collections.units.findOne({ _id: id })).toMatchObject({ text, confidence: 0.9, ordinal: 3 });
    expect((await collections.units.findOne({ _id: id }))?.words).toContain(' water ');
    const [vector = new Float32Array()] = await stores.embeddings.embed([embeddedText({ text })]);
    const dense = [...vector];
    const ofAgent = { agentKey: agentKey(agent), factTypes: [], removals: [] };
    const meaning = { unitCount: 3, dense, window: undefined };
    const hits = await vectors.find({ ...ofAgent, units: 10, meaning });
    expect(hits.dense.find((hit) => hit.id === id)?.score).toBeGreaterThan(0.99);
    expect(await storedLinks(collections)).toContainEqual(
      expect.objectContaining({ type: 'entity', from: unitId('thought', 1), to: id }),
    );
  });

  it.each([1, 10])('is linked by the entities of its new words, however the log is cut (%i)', async (size) => {
    const log = createLogWriter();
    const text = 'I believe that Bob fears deep water.';
    const bob = { name: 'Bob', type: 'PERSON' as const };
    const events = [
      ...(await log.batch('a', null, 'Bob sold a boat.')),
      await formed(log, boats, trains),
      await revised(log, { text, entities: [bob] }),
      await revised(log, { text: 'I believe that he fears deep water.' }),
    ];
    const { collections } = await applied(events, size);
    expect((await collections.units.findOne({ _id: id }))?.entities).toEqual([bob]);
    const links = await storedLinks(collections);
    const linked = links.filter(({ type, from, to }) => type === 'entity' && [from, to].includes(id));
    expect(linked).toMatchObject([{ from: unitId('a', 0), to: id, entity: 'Bob' }]);
    expect(await collections.entities.findOne({ name: 'Ana' })).toMatchObject({ recentUnits: [unitId('thought', 1)] });
  });
});

function withoutVector(event: Recorded<MemoryEventOf<'OpinionRevised'>>) {
  return { ...event, data: { ...event.data, vector: null } };
}

describe('opinions that were stored while the embedding model changed', () => {
  const withoutVectors = <E extends Recorded<MemoryEvent>>(event: E) => {
    return withVectors(event, stores.embeddings.name, embeddedIn(event)?.texts.map(() => '') ?? []);
  };
  const added = async (log: LogWriter, of: Recorded<MemoryEvent>, texts: readonly string[]) => {
    const { operationId = '', unitId: own } = unitsOf(of) ?? {};
    const vectors = await Promise.all(texts.map(vectorOf));
    const place = { operationId, firstFact: 0, embeddingModel: stores.embeddings.name, of: of.position.sequence };
    const data = { ...agent, ...place, vectors, ...(own !== undefined && { unitId: own }) };
    return log.record<MemoryEventOf<'VectorsAdded'>>({ type: 'VectorsAdded', data });
  };

  it.each([1, 10])('get their vectors where these stand in the log, with %i events at once', async (size) => {
    const log = createLogWriter();
    const first = withoutVectors(await formed(log, boats, trains));
    const vectors = await added(log, first, [boats, trains]);
    const change = withoutVectors(await revised(log, { text: 'I believe that Ana hates boats.' }));
    const changed = await added(log, change, ['I believe that Ana hates boats.']);
    const { collections } = await applied([first, vectors, change, changed], size);
    const units = await collections.units.find().sort({ fact: 1 }).toArray();
    const expected = await Promise.all(['I believe that Ana hates boats.', trains].map(vectorOf));
    expect(units.map(({ vector }) => vector.toString('base64'))).toEqual(expected);
  });
});

describe('opinions that were formed with a thought', () => {
  it('are stored unless they repeat one that the agent held, of an earlier thought as well', async () => {
    const log = createLogWriter();
    const again = await formed(log, boats, trains);
    const events = [await formed(log, boats), { ...again, data: { ...again.data, thoughtId: 'again' } }];
    const { collections } = await applied(events, 1);
    const rows = { collections, removals: [] };
    const stored = (thoughtId: string, ...texts: string[]) => storedOpinions(rows, { ...agent, thoughtId, texts });
    expect(await stored('thought', boats)).toEqual({ texts: [boats] });
    expect(await stored('again', boats, trains)).toEqual({ texts: [trains] });
  });

  it('are held by their agent, in their present words', async () => {
    const log = createLogWriter();
    const text = 'I believe that Ana fears deep water.';
    const facts = await log.batch('a', null, 'Ana likes boats.');
    const { collections } = await applied(
      [...facts, await formed(log, boats, trains), await revised(log, { text })],
      10,
    );
    const rows = { collections, removals: [] };
    const texts = [trains, 'Ana likes boats.', boats, text];
    expect(await heldOpinions(rows, { ...agent, texts })).toEqual({ texts: [trains, text] });
    expect(await heldOpinions(rows, { ...agent, agentId: 'bob', texts })).toEqual({ texts: [] });
  });
});

describe('opinions that new facts affect', () => {
  const ask = async (events: readonly Recorded<MemoryEvent>[], ...texts: string[]) => {
    const readModel = await applied(events, 10);
    const facts = await Promise.all(texts.map(async (text) => ({ text, vector: await vectorOf(text) })));
    const request = { ...agent, operationId: 'new', embeddingModel: stores.embeddings.name, facts };
    return affectedOpinions({ ...readModel, ...stores }, request);
  };

  it('are those about the same things, with the indexes of the facts', async () => {
    const events = [await formed(createLogWriter(), boats, trains)];
    const { agent: character, opinions } = await ask(
      events,
      'The tax office opens at nine.',
      'Ana was sick on the boats of the river.',
      'Night trains to Vienna were cancelled.',
    );
    expect(character.background).toBe('');
    expect(opinions.map(({ text, facts, confidence }) => [text, facts, confidence]).sort()).toEqual([
      [boats, [1], 0.6],
      [trains, [2], 0.6],
    ]);
  });

  it('are only those that were formed before the facts were known', async () => {
    const log = createLogWriter();
    const events = [...(await log.batch('a', null, 'Bob sails.')), await formed(log, boats)];
    const readModel = await applied(events, 10);
    const about = { text: 'Ana was sick on boats.', vector: await vectorOf('Ana was sick on boats.') };
    const request = { ...agent, operationId: 'new', embeddingModel: stores.embeddings.name, facts: [about] };
    const affected = async (minSequence: number) =>
      (await affectedOpinions({ ...readModel, ...stores }, { ...request, minSequence })).opinions.length;
    expect([await affected(2), await affected(4)]).toEqual([0, 1]);
  });

  it('are none for facts that only repeat others, or that were removed meanwhile', async () => {
    const log = createLogWriter();
    const text = 'Ana was sick on boats.';
    const events = [
      await formed(log, boats),
      ...(await log.batch('first', null, text)),
      ...(await log.batch(
        'again',
        null,
        text,
        'Ana fell off a boat on the river.',
        'Ana fell off a boat on the river.',
      )),
      log.forgotten(unitId('again', 1)),
    ];
    const readModel = await applied(events, 2);
    const vector = await vectorOf(text);
    const affectedBy = async (operationId: string, ...indexes: (number | undefined)[]) => {
      const facts = indexes.map((index) => ({ text, vector, index }));
      const request = { ...agent, operationId, embeddingModel: stores.embeddings.name, facts };
      return (await affectedOpinions({ ...readModel, ...stores }, request)).opinions.map((opinion) => opinion.facts);
    };
    expect(await affectedBy('first', 0)).toEqual([[0]]);
    expect(await affectedBy('again', 0, 1, 2)).toEqual([]);
    // A service of an earlier release does not say which facts they are.
    expect(await affectedBy('again', undefined)).toEqual([[0]]);
  });

  it('are found for a fact whose vector has another length', async () => {
    const readModel = await applied([await formed(createLogWriter(), boats)], 10);
    const facts = [{ text: 'Ana was sick on boats.', vector: 'AACAPwAAAAA=' }];
    const request = { ...agent, operationId: 'new', embeddingModel: stores.embeddings.name, facts };
    expect((await affectedOpinions({ ...readModel, ...stores }, request)).opinions).toHaveLength(1);
  });

  it('are none if the agent has none, and never those of the same origin', async () => {
    const log = createLogWriter();
    const facts = await log.batch('a', null, 'Alice sold a boat.');
    expect((await ask(facts, boats)).opinions).toEqual([]);
    const opinion = await log.extracted('new', null, boats);
    const own = [log.submitted('new', null, 'x'), asOpinion(opinion)];
    expect((await ask(own, boats)).opinions).toEqual([]);
  });
});

function asOpinion(event: Recorded<MemoryEventOf<'FactsExtracted'>>) {
  const facts = event.data.facts.map((fact) => ({ ...fact, factType: 'opinion' as const }));
  return { ...event, data: { ...event.data, facts } };
}
