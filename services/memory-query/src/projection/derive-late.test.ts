import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { casesOf } from '@mneme/local-stack/testing';
import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import type { MemoryCollections } from '../read-model/rows.ts';
import { createLogWriter, withoutVectors } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { allRows, storedLinks } from '../testing/rows.ts';

const stores = useStores();
type Opened = Awaited<ReturnType<typeof stores.open>>;

async function foundByMeaning({ store }: Opened, text: string): Promise<readonly string[]> {
  const [dense = new Float32Array()] = await stores.embeddings.embed([text]);
  const agentKey = (await store.contents.collections.units.findOne({}))?.agentKey ?? '';
  const query = { agentKey, dense, minScore: 0.5, afterOrdinal: 0, exclude: [], removals: [], repeatedScore: 1 };
  const [found = []] = await store.contents.vectors.similar([{ ...query, around: { from: 0, to: 1 } }]);
  return found;
}

/** The ids of the units that stand for the passages which have a word. */
async function passagesWith({ store }: Opened, word: string): Promise<readonly string[]> {
  const agentKey = (await store.contents.collections.agents.findOne({}))?._id ?? '';
  const words = { terms: stores.lexical.document(word), passages: 10 };
  const hits = await store.contents.vectors.find({ agentKey, factTypes: [], removals: [], units: 10, words });
  return hits.passages.map(({ id }) => id);
}

/** The same facts as those of one item, which are one passage. */
function ofOneItem<E extends Recorded<MemoryEventOf<'FactsExtracted'>>>(event: E): E {
  return { ...event, data: { ...event.data, facts: event.data.facts.map((fact) => ({ ...fact, item: 0 })) } };
}

async function semanticLinks(collections: MemoryCollections) {
  return (await storedLinks(collections)).filter(({ type }) => type === 'semantic').map(({ from, to }) => [from, to]);
}

const cello = 'Alice plays the cello in an orchestra.';
const alike = 'Alice plays the cello in the big orchestra.';

describe('facts that are stored before their vectors', () => {
  it('are listed and linked by entity and time at once, and similar ones when their vectors arrive', async () => {
    const opened = await stores.open();
    const { collections } = opened.store.contents;
    const log = createLogWriter();
    const submitted = log.submitted('a', null, 'x');
    const facts = await log.extracted('a', null, cello, 'Milk is white.', alike);
    await opened.project().apply([submitted, withoutVectors(facts)]);
    expect(await collections.units.countDocuments()).toBe(3);
    expect(await collections.operations.findOne({})).toMatchObject({ status: 'completed', unitsCreated: 3 });
    expect((await storedLinks(collections)).filter(({ type }) => type === 'entity')).toHaveLength(1);
    expect(await semanticLinks(collections)).toEqual([]);
    expect(await opened.countPoints()).toBe(3);
    expect(await foundByMeaning(opened, cello)).toEqual([]);

    await opened.project().apply([log.vectorsAdded(facts)]);
    expect(await semanticLinks(collections)).toEqual([[unitId('a', 0), unitId('a', 2)]]);
    expect(await collections.linkCounts.findOne({})).toMatchObject({ semantic: 1 });
    expect(await foundByMeaning(opened, cello)).toEqual([unitId('a', 0), unitId('a', 2)]);
  });

  it('are linked with facts that came later and had their vectors earlier, from the older to the newer', async () => {
    const opened = await stores.open();
    const log = createLogWriter();
    const first = await log.batch('a', null, cello);
    const second = await log.batch('b', null, alike);
    await opened.project().apply([first[0], withoutVectors(first[1]), ...second, log.vectorsAdded(first[1])]);
    expect(await semanticLinks(opened.store.contents.collections)).toEqual([[unitId('a', 0), unitId('b', 0)]]);
  });

  it('are removed again when they turn out to be repetitions', async () => {
    const opened = await stores.open();
    const { collections } = opened.store.contents;
    const log = createLogWriter();
    const first = await log.batch('a', null, cello);
    const again = await log.batch('b', null, cello, 'Milk is white.', cello);
    await opened.project().apply([...first, again[0], withoutVectors(again[1]), log.vectorsAdded(again[1])]);
    const units = await collections.units.find({}).sort({ ordinal: 1 }).toArray();
    expect(units.map(({ _id, mentions }) => [_id, mentions])).toEqual([
      [unitId('a', 0), 3],
      [unitId('b', 1), 1],
    ]);
    expect(await collections.operations.findOne({ _id: 'b' })).toMatchObject({ unitsCreated: 1 });
    const ends = (await storedLinks(collections)).flatMap(({ from, to }) => [from, to]);
    expect(ends).not.toContain(unitId('b', 0));
    expect(await opened.countPoints()).toBe(2);
  });

  it('are kept if they say something else in almost the same words', async () => {
    const opened = await stores.open();
    const { collections } = opened.store.contents;
    const log = createLogWriter();
    const first = await log.batch('a', null, 'He lent her the car.');
    const texts = ['She lent him the car.', 'He lent her the car!'];
    const other = await log.batch('b', null, ...texts);
    await opened.project().apply([...first, other[0], withoutVectors(other[1]), log.vectorsAdded(other[1])]);
    const units = await collections.units.find({}).sort({ ordinal: 1 }).toArray();
    expect(units.map(({ text, mentions }) => [text, mentions])).toEqual([
      ['He lent her the car.', 2],
      ['She lent him the car.', 1],
    ]);
  });

  it('leave the text of their passage to the next unit of it when they are removed', async () => {
    const log = createLogWriter();
    const first = await log.batch('a', null, cello, 'Carol drinks green tea.');
    const submitted = log.submitted('b', null, 'x');
    const texts = [cello, 'Carol drinks green tea.', 'Milk is white.', 'Bob grows aubergines.'];
    const again = ofOneItem(await log.extracted('b', null, ...texts));
    const vectors = log.vectorsAdded(again);
    const atOnce = await stores.open();
    await atOnce.project().apply([...first, submitted, again]);
    const { collections } = atOnce.store.contents;
    const units = await collections.units.find({}).sort({ ordinal: 1 }).toArray();
    for (const sizes of [[100], [1]]) {
      const opened = await stores.open();
      await opened.applyCut([...first, submitted, withoutVectors(again), vectors], sizes);
      const rows = await opened.store.contents.collections.units.find({}).sort({ ordinal: 1 }).toArray();
      expect(rows.map(({ _id, passage }) => [_id, passage])).toEqual(units.map(({ _id, passage }) => [_id, passage]));
      expect(rows[2]?.vector).toEqual(units[2]?.vector);
      expect(await passagesWith(opened, 'cello')).toEqual([unitId('b', 2)]);
      expect(await foundByMeaning(opened, 'Milk is white.')).toEqual([unitId('b', 2)]);
    }
  });

  it('stay gone when their vectors arrive after they were forgotten, replaced or erased', async () => {
    const opened = await stores.open();
    const log = createLogWriter();
    const one = await log.batch('a', null, cello, 'Milk is white.');
    const doc = await log.batch('b', 'doc', 'The tea is green.');
    await opened.project().apply([one[0], withoutVectors(one[1]), doc[0], withoutVectors(doc[1])]);
    await opened.project().apply([log.forgotten(unitId('a', 0)), log.deleted('doc')]);
    await opened.project().apply([log.vectorsAdded(one[1]), log.vectorsAdded(doc[1])]);
    const { units } = opened.store.contents.collections;
    expect((await units.find({}).toArray()).map(({ _id }) => _id)).toEqual([unitId('a', 1)]);
    expect(await opened.countPoints()).toBe(1);
    await opened.project().apply([log.erased(), log.vectorsAdded(one[1])]);
    await opened.maintain();
    expect(await units.countDocuments()).toBe(0);
  });
});

/** A unit that is corrected, and vectors of its texts that come late. They are of another model than the events had. */
async function corrections() {
  const log = createLogWriter();
  const submitted = log.submitted('a', null, 'x');
  const fact = await log.extracted('a', null, cello);
  const first = await log.corrected(unitId('a', 0), 'Milk is white.');
  const second = await log.corrected(unitId('a', 0), 'The tea is green.');
  const vectorsOf = ({ data, position }: typeof first) => {
    const { space, agentId, unitId, embeddingModel, vector } = data;
    const place = { operationId: unitId, unitId, firstFact: 0 };
    const vectors = { embeddingModel, of: position.sequence, vectors: [vector] };
    return log.record<MemoryEvent>({ type: 'VectorsAdded', data: { space, agentId, ...place, ...vectors } });
  };
  return { log, before: [submitted, withoutVectors(fact)], fact, first, second, vectorsOf };
}

function withoutVector<E extends Recorded<MemoryEventOf<'UnitCorrected'>>>(event: E): E {
  return { ...event, data: { ...event.data, vector: '' } };
}

describe('vectors of a former text, which come after the unit was corrected', () => {
  it.each<[string, (history: Awaited<ReturnType<typeof corrections>>) => readonly Recorded<MemoryEvent>[], string[]]>([
    [
      'change nothing if it has a vector',
      ({ first, second, vectorsOf }) => [withoutVector(first), second, vectorsOf(first)],
      ['The tea is green.'],
    ],
    [
      'are not those that it waits for',
      ({ first, second, vectorsOf }) => [withoutVector(first), withoutVector(second), vectorsOf(first)],
      [],
    ],
    [
      'do not take the place of those that it waits for',
      ({ first, second, vectorsOf }) => {
        return [withoutVector(first), withoutVector(second), vectorsOf(first), vectorsOf(second)];
      },
      ['The tea is green.'],
    ],
    [
      'do not take the place of those that came before',
      ({ first, second, vectorsOf }) => {
        return [withoutVector(first), withoutVector(second), vectorsOf(second), vectorsOf(first)];
      },
      ['The tea is green.'],
    ],
    [
      'do not take the place of those that it waits for, if it had the text from the beginning',
      ({ log, fact, first, vectorsOf }) => [withoutVector(first), log.vectorsAdded(fact), vectorsOf(first)],
      ['Milk is white.'],
    ],
  ])('%s', async (_, eventsOf, texts) => {
    const history = await corrections();
    const events = [...history.before, ...eventsOf(history)];
    for (const sizes of [[100], [1]]) {
      const opened = await stores.open();
      await opened.applyCut(events, sizes);
      const found = [cello, 'Milk is white.', 'The tea is green.'].map(async (text) => {
        return (await foundByMeaning(opened, text)).length > 0 ? [text] : [];
      });
      expect((await Promise.all(found)).flat()).toEqual(texts);
    }
  });
});

/** Batches with and without vectors, whose vectors come in another order; documents that are replaced, repetitions. */
async function history(): Promise<Recorded<MemoryEvent>[]> {
  const log = createLogWriter();
  const things = ['tea', 'cello', 'boat', 'garden', 'novel', 'oven', 'violin'];
  const sentence = (index: number) =>
    `Alice likes the ${things[index % 7]} of ${things[(index * 3) % 7]} number ${index % 40}.`;
  const events: Recorded<MemoryEvent>[] = [];
  const waiting: Recorded<MemoryEvent>[] = [];
  for (let round = 0; round < 14; round += 1) {
    const document = round % 4 === 1 ? `doc-${round % 3}` : null;
    const texts = Array.from({ length: round === 5 ? 130 : 12 }, (_, index) => sentence(round * 7 + index));
    events.push(log.submitted(`op-${round}`, document, 'x'));
    const facts = await log.extracted(`op-${round}`, document, ...texts);
    if (round % 3 === 2) events.push(facts);
    else {
      events.push(withoutVectors(facts));
      waiting.unshift(facts);
    }
    if (round % 4 === 2) events.push(log.forgotten(unitId(`op-${round - 1}`, 3)));
    if (round % 5 === 4) for (const event of waiting.splice(0)) events.push(log.vectorsAdded(event as typeof facts));
  }
  return events;
}

it('the same rows and links follow however the log is cut into batches', async () => {
  const events = await history();
  const rows = [];
  for (const sizes of [[1], ...casesOf([[1, 5, 2, 9], [events.length], [3]])]) {
    const opened = await stores.open();
    const { collections } = opened.store.contents;
    await opened.applyCut(events, sizes);
    expect((await semanticLinks(collections)).length).toBeGreaterThan(0);
    rows.push(await allRows(collections));
  }
  const [oneByOne, ...others] = rows;
  expect(oneByOne?.every((each) => each.length > 0)).toBe(true);
  for (const other of others) expect(other).toEqual(oneByOne);
});
