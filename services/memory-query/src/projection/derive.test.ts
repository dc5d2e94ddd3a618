import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { casesOf } from '@mneme/local-stack/testing';
import { expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import type { MemoryCollections } from '../read-model/rows.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { allRows, storedLinks } from '../testing/rows.ts';

const stores = useStores();

/** Applies the events to an empty read model. */
async function applied(...given: Parameters<Awaited<ReturnType<typeof stores.open>>['applyCut']>) {
  const { readModel, applyCut } = await stores.open();
  await applyCut(...given);
  return readModel.collections;
}

async function storing(...texts: string[]): Promise<MemoryCollections> {
  const log = createLogWriter();
  return applied(await log.batch('a', null, ...texts), [10]);
}

it('counts a fact that is stored again instead of keeping it twice, also within one batch', async () => {
  const log = createLogWriter();
  const events = [
    ...(await log.batch('a', null, 'The tea is green.', 'The tea is green.')),
    ...(await log.batch('b', null, 'The tea is green!')),
  ];
  const { units, operations, agents } = await applied(events, [2]);
  expect(await units.find({}).toArray()).toMatchObject([{ _id: unitId('a', 0), mentions: 3, ordinal: 1 }]);
  expect(await operations.find({}).sort({ _id: 1 }).toArray()).toMatchObject([
    { unitsCreated: 1 },
    { unitsCreated: 0 },
  ]);
  expect(await agents.findOne({})).toMatchObject({ unitCount: 1 });
});

const board = (decision: string) =>
  'After two long meetings with the architects, the neighbours and the city council, the members of the housing board ' +
  `decided to ${decision} the proposal for the new student residence beside the old railway station, because the ` +
  'committee for public transport had presented its own plan for the same piece of land only a week before the last ' +
  'meeting of the year.';

it.each([
  [
    'a number',
    'The workshop of next week was moved to the large Room 101.',
    'The workshop of next week was moved to the large Room 102.',
  ],
  ['a negation', 'The big workshop in the old harbour is open.', 'The big workshop in the old harbour is not open.'],
  ['a name', 'Alice has a green bicycle from Denmark.', 'Bob has a green bicycle from Denmark.'],
  ['one verb of many words', board('approve'), board('reject')],
])('keeps facts apart that differ by %s only', async (_, left, right) => {
  const { units } = await storing(left, right);
  expect(await units.countDocuments()).toBe(2);
});

it.each([
  ['articles', 'Bob bought a bike at the station.', 'Bob bought the bike at a station.'],
  ['contractions', "They're sure that Bob doesn't eat meat.", 'They are sure that Bob does not eat meat.'],
])('counts a fact again that differs by %s only', async (_, left, right) => {
  const { units } = await storing(left, right);
  expect(await units.find({}).toArray()).toMatchObject([{ text: left, mentions: 2 }]);
});

it('keeps what is appended to a version that is still processed, even if the former version says the same', async () => {
  const log = createLogWriter();
  const events = [
    ...(await log.batch('old', 'doc', 'The tea is green.')),
    log.submitted('new', 'doc', 'x'),
    log.appended(log.submitted('turn', 'doc', 'x')),
    await log.extracted('turn', 'doc', 'The tea is green.'),
    await log.extracted('new', 'doc', 'The coffee is black.'),
  ];
  const { units } = await applied(events, [3]);
  const texts = await units.find({}).sort({ ordinal: 1 }).toArray();
  expect(texts.map(({ text }) => text)).toEqual(['The tea is green.', 'The coffee is black.']);
});

it('stores the same fact of two documents twice, so that one document can be deleted alone', async () => {
  const log = createLogWriter();
  const events = [
    ...(await log.batch('a', 'one', 'The tea is green.')),
    ...(await log.batch('b', 'two', 'The tea is green.')),
    log.deleted('one'),
  ];
  const { units } = await applied(events, [10]);
  expect(await units.find({}).toArray()).toMatchObject([{ documentId: 'two', mentions: 1 }]);
});

it('links units that are similar, mention the same entity or are near in time', async () => {
  const collections = await storing(
    'Alice Chen plays the cello in an orchestra.',
    'Milk is white.',
    'Alice plays the cello in the big orchestra.',
  );
  const links = await storedLinks(collections);
  const found = links.filter(({ from, to }) => from === unitId('a', 0) && to === unitId('a', 2));
  expect(found.map(({ type }) => type).sort()).toEqual(['entity', 'semantic', 'temporal']);
  expect(found.find(({ type }) => type === 'entity')).toMatchObject({ entity: 'Alice Chen' });
  expect(found.find(({ type }) => type === 'temporal')).toMatchObject({ weight: 1 });
  expect(links.filter(({ type }) => type === 'semantic')).toHaveLength(1);
});

it('merges mentions of one person and keeps two of one name apart', async () => {
  const { entities } = await storing('Alice Chen sings.', 'Alice swims.', 'Alice Smith runs.', 'Alice reads.');
  const rows = await entities.find({}).sort({ name: 1 }).toArray();
  expect(rows.map(({ name, mentions }) => [name, mentions])).toEqual([
    ['Alice Chen', 3],
    ['Alice Smith', 1],
  ]);
});

it.each([
  ['was forgotten', (log: ReturnType<typeof createLogWriter>) => log.forgotten(unitId('a', 0))],
  ['was deleted with its document', (log: ReturnType<typeof createLogWriter>) => log.deleted('doc')],
])('a name is not that of somebody of whom all that was said %s', async (_, remove) => {
  const log = createLogWriter();
  const events = [
    ...(await log.batch('a', 'doc', 'Alice Wong sold a bicycle in Oslo.')),
    remove(log),
    ...(await log.batch('b', null, 'Alice Chen works at the observatory.')),
    ...(await log.batch('c', null, 'Alice likes green tea.')),
  ];
  for (const cuts of [[10], [1]]) {
    const collections = await applied(events, cuts);
    const links = (await storedLinks(collections)).filter(({ type }) => type === 'entity');
    expect(links).toMatchObject([{ from: unitId('b', 0), to: unitId('c', 0), entity: 'Alice Chen', weight: 1 }]);
    expect(await collections.entities.find({ aliases: 'alice wong' }).toArray()).toEqual([]);
  }
});

it('somebody of whom older memories are left stays known, also when all the newest are gone', async () => {
  const log = createLogWriter();
  const many = Array.from({ length: 9 }, (_, index) => `Alice Chen went to bridge ${index} on a day of spring.`);
  const events = [
    ...(await log.batch('a', null, 'Alice Chen sings in a choir.', 'Alice Chen has a green boat.')),
    ...(await log.batch('b', null, 'Alice Wong sold a bicycle.')),
    ...(await log.batch('c', 'doc', ...many)),
    log.deleted('doc'),
    ...(await log.batch('d', null, 'Alice likes green tea.')),
  ];
  for (const cuts of [[20], [1]]) {
    const collections = await applied(events, cuts);
    const rows = await collections.entities.find({}).sort({ name: 1 }).toArray();
    expect(rows).toMatchObject([
      { name: 'Alice', mentions: 1 },
      { name: 'Alice Chen', mentions: 3, recentUnits: [] },
      { name: 'Alice Wong', mentions: 1 },
    ]);
  }
});

it('what was said about somebody and is gone does not weaken the links of what is said later', async () => {
  const log = createLogWriter();
  const trips = Array.from({ length: 6 }, (_, index) => `Bob went to bridge ${index} on a day of spring.`);
  const events = [
    ...(await log.batch('a', null, 'Bob was born in a village.')),
    ...(await log.batch('b', 'doc', ...trips)),
    log.deleted('doc'),
    ...(await log.batch('c', null, 'Bob moved to the coast.')),
  ];
  for (const cuts of [[10], [1]]) {
    const collections = await applied(events, cuts);
    expect(await collections.entities.find({}).toArray()).toMatchObject([
      { name: 'Bob', mentions: 2, recentUnits: [unitId('a', 0), unitId('c', 0)] },
    ]);
    const links = (await storedLinks(collections)).filter(({ type, to }) => type === 'entity' && to === unitId('c', 0));
    expect(links).toMatchObject([{ from: unitId('a', 0), weight: 1 }]);
  }
});

it('removes the links of a forgotten unit, and links nothing to it any more', async () => {
  const log = createLogWriter();
  const events = [
    ...(await log.batch('a', null, 'Alice sings.', 'Alice swims.')),
    log.forgotten(unitId('a', 0)),
    ...(await log.batch('b', null, 'Alice runs.')),
  ];
  const collections = await applied(events, [10]);
  const ends = (await storedLinks(collections)).flatMap(({ from, to }) => [from, to]);
  expect(ends).not.toContain(unitId('a', 0));
  expect(ends).toContain(unitId('a', 1));
});

/** A long history: many agents' worth of facts in one, documents that are replaced, units that are forgotten, repetitions. */
async function history(): Promise<Recorded<MemoryEvent>[]> {
  const log = createLogWriter();
  const events: Recorded<MemoryEvent>[] = [];
  const things = ['tea', 'cello', 'boat', 'garden', 'novel', 'oven', 'violin'];
  const people = ['Alice', 'Alice Chen', 'Bob', 'Carol'];
  const sentence = (index: number) =>
    `${people[index % 4]} likes the ${things[index % 7]} of ${things[(index * 3) % 7]} number ${index % 40}.`;
  for (let round = 0; round < 12; round += 1) {
    const document = round % 3 === 0 ? `doc-${round % 2}` : null;
    const texts = Array.from({ length: round === 5 ? 230 : 12 }, (_, index) => sentence(round * 7 + index));
    events.push(...(await log.batch(`op-${round}`, document, ...texts)));
    if (round % 4 === 2) events.push(log.forgotten(unitId(`op-${round}`, 3)));
  }
  events.push(log.deleted('doc-0'), ...(await log.batch('last', null, sentence(1))));
  return events;
}

it('derives the same rows, links and entities however the log is cut into batches', async () => {
  const events = await history();
  const oneByOne = await allRows(await applied(events, [1]));
  expect(oneByOne.every((rows) => rows.length > 0)).toBe(true);
  for (const sizes of casesOf([[1, 5, 2, 9], [events.length], [3]])) {
    expect(await allRows(await applied(events, sizes))).toEqual(oneByOne);
  }
});

it('derives the same in steps, between which it gives way to questions', async () => {
  const events = await history();
  let steps = 0;
  const inSteps = await applied(events, [4], async () => {
    steps += 1;
  });
  expect(await allRows(inSteps)).toEqual(await allRows(await applied(events, [4])));
  // Before, within and after the reads, and between the writes.
  expect(steps).toBeGreaterThan(8 * Math.ceil(events.length / 4));
});
