import type { Entity } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { EntityBook } from './entity-book.ts';

const person = (name: string): Entity => ({ name, type: 'PERSON' });
const unit = (_id: string, ...entities: Entity[]) => ({ _id, space: 'public', agentKey: 'alice', entities });

/** Begins a specification: given units that were recorded before, when another one is, then its entities are as expected. */
function given(...units: readonly ReturnType<typeof unit>[]) {
  const book = new EntityBook();
  for (const each of units) book.mention(each);
  return {
    when: (next: ReturnType<typeof unit>) => {
      const shared = book.mention(next);
      return {
        thenShared: (...expected: object[]) => expect(shared).toMatchObject(expected),
        thenEntities: (...expected: object[]) => expect([...book.changed.values()]).toMatchObject(expected),
      };
    },
  };
}

describe('a mention', () => {
  it('makes an entity, which had no units before', () => {
    const { thenShared, thenEntities } = given().when(unit('u1', person('Ana')));
    thenShared({ name: 'Ana', mentions: 0, recentUnits: [] });
    thenEntities({ _id: 'alice:ana', mentions: 1, recentUnits: ['u1'] });
  });

  it('is told the units that mentioned the entity before', () => {
    given(unit('u1', person('Ana')))
      .when(unit('u2', person('Ana')))
      .thenShared({ mentions: 1, recentUnits: ['u1'] });
  });

  it('by a fuller name gives the entity this name', () => {
    const { thenEntities } = given(unit('u1', person('Ana'))).when(unit('u2', person('Ana Lopes')));
    thenEntities({ _id: 'alice:ana', name: 'Ana Lopes', aliases: ['ana', 'ana lopes'], mentions: 2 });
  });

  it('that is repeated in one unit counts once', () => {
    given()
      .when(unit('u1', person('Ana'), person('ana')))
      .thenEntities({ mentions: 1, recentUnits: ['u1'] });
  });

  it('of another agent makes another entity', () => {
    const { thenEntities } = given(unit('u1', person('Ana'))).when({ ...unit('u2', person('Ana')), agentKey: 'bob' });
    thenEntities({ agentKey: 'alice', mentions: 1 }, { agentKey: 'bob', mentions: 1 });
  });
});

it('an entity keeps its 8 newest units', () => {
  const ids = Array.from({ length: 10 }, (_, index) => `u${index}`);
  given(...ids.map((id) => unit(id, person('Ana'))))
    .when(unit('last', person('Ana')))
    .thenEntities({ mentions: 11, recentUnits: [...ids.slice(3), 'last'] });
});

it('takes in tens of thousands of entities without comparing each with all others', () => {
  const count = 30_000;
  const stored = Array.from({ length: count }, (_, index) => {
    const name = `person ${index}`;
    const of = { _id: `alice:${name}`, space: 'public', agentKey: 'alice', name, type: 'PERSON' as const };
    return { ...of, aliases: [name], parts: [], mentions: 1, recentUnits: ['u'] };
  });
  const book = new EntityBook();
  const begin = performance.now();
  for (let time = 0; time < 3; time += 1) book.add(stored);
  // About 0.1 s; with comparisons in pairs more than ten.
  expect(performance.now() - begin).toBeLessThan(3_000);
  book.mention(unit('u1', person('Person 29999')));
  book.add(stored);
  expect(book.mention(unit('u2', person('Person 29999')))).toMatchObject([{ mentions: 2, recentUnits: ['u', 'u1'] }]);
});
