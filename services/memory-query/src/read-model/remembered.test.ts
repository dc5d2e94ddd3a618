import { partitionOf } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FoundUnit, keep, Remembered, type RememberedAgent, recall } from './remembered.ts';

const agent = 'agent-key';
const nothing = { units: [], linked: [], hasRemovals: false };
const unit = (id: string) => ({ _id: id, text: id }) as FoundUnit;

let remembered: Remembered;
let known: RememberedAgent;

/** What is shown of an agent of which nothing is remembered. */
const empty = { unitCount: undefined, everCount: undefined, terms: [], units: [], links: [] };

/** What is remembered of the agent as far as this test adds it. */
function shown(of = remembered.of(agent, true)) {
  return (
    of && {
      unitCount: of.unitCount,
      everCount: of.everCount,
      terms: [...of.terms.keys()],
      units: [...of.units.keys()],
      links: [...of.links.keys()],
    }
  );
}

beforeEach(() => {
  remembered = new Remembered();
  known = remembered.of(agent, true) as RememberedAgent;
  remembered.add(agent, known, (of) => {
    of.unitCount = 2;
    of.everCount = 3;
    of.terms.set(7, 1);
    for (const id of ['a', 'b']) {
      of.units.set(id, unit(id));
      of.links.set(id, []);
    }
  });
});

it('remembers what was added, until the agent changes', () => {
  expect(shown()).toEqual({ unitCount: 2, everCount: 3, terms: [7], units: ['a', 'b'], links: ['a', 'b'] });
  expect(shown(remembered.of('another', true))).toEqual(empty);
});

describe('after a change', () => {
  it('the units and links that changed are forgotten, and what is counted', async () => {
    await remembered.change(new Set([agent]), async () => ({ changed: { ...nothing, units: ['a'], linked: ['b'] } }));
    expect(shown()).toEqual({ ...empty, units: ['b'], links: ['a'] });
  });

  it('that removed something, or failed, everything is forgotten', async () => {
    await remembered.change(new Set([agent]), async () => ({ changed: { ...nothing, hasRemovals: true } }));
    expect(shown()).toEqual(empty);
    const again = remembered.of(agent, true) as RememberedAgent;
    remembered.add(agent, again, ({ units }) => units.set('a', unit('a')));
    const failing = remembered.change(new Set([agent]), () => Promise.reject(new Error('MongoDB is away')));
    await expect(failing).rejects.toThrow('MongoDB is away');
    expect(shown()).toEqual(empty);
  });

  it('a search that began before it adds nothing, whether it changed that unit or not', async () => {
    await remembered.change(new Set([agent]), async () => ({ changed: nothing }));
    remembered.add(agent, known, ({ units }) => units.set('c', unit('c')));
    expect(shown()?.units).toEqual(['a', 'b']);
  });

  it('other agents are remembered as before', async () => {
    await remembered.change(new Set(['another']), async () => ({ changed: { ...nothing, hasRemovals: true } }));
    expect(shown()?.units).toEqual(['a', 'b']);
  });
});

it('forgets everything about many agents that change together', async () => {
  const many = new Set([agent, ...Array.from({ length: 20 }, (_, index) => `agent-${index}`)]);
  await remembered.change(many, async () => ({ changed: nothing }));
  expect(shown()?.units).toEqual([]);
});

it('remembers that a unit does not exist, and nothing that takes too much memory', () => {
  const values = new Map<string, string | null>();
  keep(
    values,
    ['a', 'b', 'c'],
    new Map([
      ['a', 'short'],
      ['b', 'x'.repeat(5_000)],
    ]),
    ({ length }) => length,
  );
  expect([...values]).toEqual([
    ['a', 'short'],
    ['c', null],
  ]);
});

it('remembers nothing while the agent changes', async () => {
  await remembered.change(new Set([agent]), async () => {
    expect(remembered.of(agent, true)).toBeUndefined();
    remembered.add(agent, known, ({ units }) => units.set('c', unit('c')));
    return { changed: nothing };
  });
  expect(shown()?.units).toEqual(['a', 'b']);
});

it('forgets the agents of a lane that is lost', () => {
  remembered.forgetLane((partitionOf(agent) + 1) % 64);
  expect(shown()?.units).toEqual(['a', 'b']);
  remembered.forgetLane(partitionOf(agent));
  expect(shown()?.units).toEqual([]);
});

it('keeps what it knows of agents that others write apart', () => {
  const foreign = remembered.of(agent, false);
  expect(foreign).toMatchObject({ isExact: false, unitCount: undefined });
  expect(remembered.of(agent, false)).toBe(foreign);
});

it('tells what is known, what is not, and leaves out what does not exist', () => {
  const values = new Map([
    ['a', 1],
    ['b', null],
  ]);
  expect(recall(values, ['a', 'b', 'c'])).toEqual({ found: [1], unknown: ['c'] });
});

it('forgets the agents that were asked least recently when it has too much', () => {
  for (let index = 0; index < 60; index += 1) {
    const other = remembered.of(`agent-${index}`, true) as RememberedAgent;
    remembered.add(`agent-${index}`, other, ({ units }) => {
      for (let count = 0; count < 1_000; count += 1) units.set(`${index}-${count}`, null);
    });
  }
  expect(shown()?.units).toEqual([]);
  expect(remembered.of('agent-59', true)?.units.size).toBe(1_000);
});
