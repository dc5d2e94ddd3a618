import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { describe, expect, it } from 'vitest';
import { linkId } from '../read-model/link-rows.ts';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { allRows, storedLinks } from '../testing/rows.ts';

type Extracted = Recorded<MemoryEventOf<'FactsExtracted'>>;

const ids = [0, 1, 2, 3].map((fact) => unitId('a', fact));
const [first = '', second = '', third = '', fourth = ''] = ids;
const texts = ['Alice plays xylophone.', 'Bob grows aubergines.', 'Carol repairs bicycles.', 'The tea is green.'];

const stores = useStores();

/** Four facts of one item of a document. */
async function passage(log: ReturnType<typeof createLogWriter>, source?: string): Promise<Recorded<MemoryEvent>[]> {
  const submitted = log.submitted('a', 'diary', 'x');
  const event: Extracted = await log.extracted('a', 'diary', ...texts);
  const facts = event.data.facts.map((fact) => ({ ...fact, item: 0, ...(source !== undefined && { source }) }));
  return [submitted, { ...event, data: { ...event.data, facts } }];
}

async function applied(events: readonly Recorded<MemoryEvent>[], size = 100) {
  const { readModel, applyCut } = await stores.open();
  await applyCut(events, [size]);
  const { collections, vectors } = readModel;
  const { units, agents } = collections;
  const agentKey = (await agents.findOne({}))?._id ?? '';
  return {
    texts: async () => {
      const rows = await units.find({}).sort({ fact: 1 }).toArray();
      return rows.map(({ passage, text }) => [text, passage.text] as const);
    },
    rows: () => allRows(collections),
    linksOf: async (id: string) =>
      (await storedLinks(collections)).filter(({ from, to }) => from === id || to === id).map(linkId),
    /** The ids of the units that a word finds, and of those that stand for the passages that it finds. */
    found: async (word: string) => {
      const words = { terms: stores.lexical.document(word), passages: 10 };
      const hits = await vectors.find({ agentKey, factTypes: [], removals: [], units: 10, words });
      return [hits.words.map(({ id }) => id), hits.passages.map(({ id }) => id)];
    },
  };
}

describe('a passage of which a unit was corrected', () => {
  it('has the words of the new text, and none of the former one', async () => {
    const log = createLogWriter();
    const { found, texts: shown } = await applied([
      ...(await passage(log)),
      await log.corrected(second, 'Bob eats leeks.'),
    ]);
    expect(await found('aubergines')).toEqual([[], []]);
    expect(await found('leeks')).toEqual([[second], [first]]);
    expect((await shown())[0]).toEqual([texts[0], [texts[0], 'Bob eats leeks.', texts[2], texts[3]].join('\n')]);
  });

  it('keeps its text on its first unit when that is corrected', async () => {
    const log = createLogWriter();
    const { found } = await applied([...(await passage(log)), await log.corrected(first, 'Alice plays trombone.')]);
    expect(await found('xylophone')).toEqual([[], []]);
    expect(await found('trombone')).toEqual([[first], [first]]);
    expect(await found('bicycles')).toEqual([[third], [first]]);
  });

  it('no longer has the words of the item that a model has read', async () => {
    const log = createLogWriter();
    const events = await passage(log, 'Alice, the xylophonist, met Bob.');
    expect(await (await applied(events)).found('xylophonist')).toEqual([[], [first]]);
    const { found } = await applied([...events, await log.corrected(first, 'Alice plays trombone.')]);
    expect(await found('xylophonist')).toEqual([[], []]);
  });
});

describe('a passage of which units were forgotten', () => {
  it('loses their words; the next unit keeps its text, until one is left', async () => {
    const log = createLogWriter();
    const events = [...(await passage(log)), log.forgotten(first), log.forgotten(third)];
    const { found, texts: shown } = await applied(events);
    expect(await found('xylophone')).toEqual([[], []]);
    expect(await found('bicycles')).toEqual([[], []]);
    expect(await found('aubergines')).toEqual([[second], [second]]);
    expect(await shown()).toEqual([
      [texts[1], `${texts[1]}\n${texts[3]}`],
      [texts[3], null],
    ]);
    const last = await applied([...events, log.forgotten(second)]);
    expect(await last.texts()).toEqual([[texts[3], null]]);
    expect(await last.found('green')).toEqual([[fourth], []]);
    const none = await applied([...events, log.forgotten(second), log.forgotten(fourth)]);
    expect(await none.texts()).toEqual([]);
  });
});

it('a corrected unit stays linked with its neighbours before and after it', async () => {
  const log = createLogWriter();
  const events = await passage(log);
  const neighbours = (found: string[]) => found.filter((id) => id.startsWith('temporal')).length;
  const before = await (await applied(events)).linksOf(second);
  const after = await (await applied([...events, await log.corrected(second, 'Bob eats leeks.')])).linksOf(second);
  expect(neighbours(after)).toBe(neighbours(before));
  expect(neighbours(after)).toBe(3);
});

it('nothing comes of the correction of a unit that no longer exists', async () => {
  const log = createLogWriter();
  const events = [
    ...(await passage(log)),
    log.forgotten(first),
    await log.corrected(first, 'Alice plays trombone.'),
    log.deleted('diary'),
    await log.corrected(second, 'Bob eats leeks.'),
  ];
  expect(await (await applied(events)).texts()).toEqual([]);
});

it.each([1, 2, 3])('corrections give the same rows however the log is cut (%i)', async (size) => {
  const log = createLogWriter();
  const events = [
    ...(await passage(log)),
    await log.corrected(second, 'Alice Smith eats leeks.'),
    ...(await log.batch('b', null, 'Alice Smith eats leeks!', 'Carol sings.')),
    await log.corrected(second, 'Bob eats leeks.'),
    log.forgotten(first),
    await log.corrected(unitId('b', 1), 'Carol repairs bicycles.'),
    await log.corrected(fourth, 'Carol repairs bicycles.'),
  ];
  const whole = await (await applied(events)).rows();
  expect(await (await applied(events, size)).rows()).toEqual(whole);
  expect(whole[0]).toHaveLength(5);
});
