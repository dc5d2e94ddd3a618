import { partitionOf } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { storedLinks } from '../testing/rows.ts';
import type { OtherUnit } from './derive-links.ts';
import { NewestUnits } from './newest-units.ts';

const stores = useStores();

const hourMs = 3_600_000;
/** In hours; units come in order, then late, then again in order, some at the same time. */
const dates = [0, 1, 2, 3, 3, 3, 4, 30, 2.5, 31, 31, 1.5, 32, 60, 33, 61, 62, 62, 63, 64, 65, 66, 67, 68];

/** Events that store a unit for each date, and forget two of them in between. */
async function events() {
  const log = createLogWriter();
  const all = [];
  for (const [index, hours] of dates.entries()) {
    const operationId = `op-${index}`;
    const extracted = await log.extracted(operationId, null, `Thing ${index} was seen by nobody.`);
    const eventDate = new Date(Date.UTC(2026, 0, 1) + hours * hourMs).toISOString();
    const facts = extracted.data.facts.map((fact) => ({ ...fact, eventDate }));
    all.push([log.submitted(operationId, null, 'x'), { ...extracted, data: { ...extracted.data, facts } }]);
    if (index === 12 || index === 20) all.push([log.forgotten(unitId(`op-${index - 1}`, 0))]);
  }
  return all;
}

it('what a writer remembers of the newest units gives the same links as what is read anew', async () => {
  const [remembering, reading] = [await stores.open(), await stores.open()];
  for (const batch of await events()) {
    await remembering.apply(batch);
    // Another writer each time, which remembers nothing.
    await reading.project().apply(batch);
  }
  const linksOf = ({ readModel }: typeof reading) => storedLinks(readModel.collections);
  const links = await linksOf(reading);
  expect(links.filter(({ type }) => type === 'temporal').length).toBeGreaterThan(dates.length);
  expect(await linksOf(remembering)).toEqual(links);
});

it('a read that ends after its lane was forgotten does not replace what was read since', async () => {
  const newest = new NewestUnits();
  const unit = (ordinal: number): OtherUnit => ({ _id: `unit-${ordinal}`, ordinal, eventDate: new Date(ordinal) });
  const late = Promise.withResolvers<readonly OtherUnit[]>();
  const ofFailedBatch = newest.of('alice', () => late.promise);
  newest.forgetLane(partitionOf('alice'));
  await newest.of('alice', async () => [unit(2), unit(1)]);
  late.resolve([unit(1)]);
  expect(await ofFailedBatch).toEqual([unit(1)]);
  expect(await newest.of('alice', async () => [])).toEqual([unit(2), unit(1)]);
});

it('what is read of an agent while another lane is forgotten is kept', async () => {
  const newest = new NewestUnits();
  const late = Promise.withResolvers<readonly OtherUnit[]>();
  const reading = newest.of('alice', () => late.promise);
  newest.forgetLane(partitionOf('alice') + 1);
  late.resolve([]);
  await reading;
  const reads: string[] = [];
  await newest.of('alice', async () => {
    reads.push('alice');
    return [];
  });
  expect(reads).toEqual([]);
});
