import { describe, expect, it } from 'vitest';
import { deriveLinks, type Surroundings } from '../links/derive-links.ts';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { rowsAfter } from '../testing/spec.ts';

const nothing: Surroundings = {
  similar: [],
  linkCosine: 0.7,
  nearby: [],
  entities: [],
  exists: () => false,
};

/** Begins a specification: given what is around a new unit, when its links are derived, then they are as expected. */
function given(around: Partial<Surroundings>) {
  return {
    whenStored: async (documentId: string | null = null, fact = 0) => {
      const log = createLogWriter();
      const facts = Array.from({ length: fact + 1 }, (_, index) => `fact ${index}`);
      const set = rowsAfter(...(await log.batch('a', documentId, ...facts)));
      const unit = set.newUnits.get(unitId('a', fact))?.unit;
      if (!unit) throw new Error('There is no unit');
      const links = deriveLinks(unit, { ...nothing, ...around });
      return { unit, thenLinks: (...expected: object[]) => expect(links).toMatchObject(expected) };
    },
  };
}

describe('a new unit is linked', () => {
  it('to nothing when nothing is around it', async () => {
    (await given({}).whenStored()).thenLinks();
  });

  it('to the units before it in its document, if they exist', async () => {
    const { unit, thenLinks } = await given({ exists: (id) => id === unitId('a', 1) }).whenStored('doc', 2);
    thenLinks({ type: 'temporal', from: unitId('a', 1), to: unit._id });
  });

  it('to a unit of the same time, with the highest weight', async () => {
    const { unit } = await given({}).whenStored();
    const nearby = [{ _id: 'other', ordinal: 1, eventDate: unit.eventDate }];
    (await given({ nearby }).whenStored()).thenLinks({ type: 'temporal', from: 'other', weight: 1 });
  });

  it('to a similar unit by the cosine, and not to one that is hardly similar', async () => {
    const alike = (_id: string, cosine: number) => ({ _id, ordinal: 1, eventDate: new Date(0), cosine });
    const { thenLinks } = await given({ similar: [alike('far', 0.1), alike('near', 0.95)] }).whenStored();
    thenLinks({ type: 'semantic', from: 'near', weight: 0.95 });
  });

  it('to units that mention the same entity, by its name', async () => {
    const entities = [{ name: 'Ana', mentions: 1, recentUnits: ['other'] }];
    (await given({ entities }).whenStored()).thenLinks({ type: 'entity', from: 'other', entity: 'Ana' });
  });
});
