import { describe, expect, it } from 'vitest';
import { linkSettings } from '../links/link-settings.ts';
import type { EmbeddedUnit } from '../links/surroundings.ts';
import { emptyWorkingSet } from '../read-model/working-set.ts';
import { createLogWriter } from '../testing/events.ts';
import { createRows } from '../testing/rows.ts';
import { rowsAfter } from '../testing/spec.ts';
import { type ComparedUnits, similarUnits, uncountRepeated } from './similar-units.ts';

const rows = createRows();
const [x, y] = [new Float32Array([1, 0]), new Float32Array([0, 1])];

function embedded(ordinal: number, vector = x, of = rows): EmbeddedUnit {
  return { unit: of.unit('The tea is green.', { _id: `unit-${ordinal}`, ordinal }), vector };
}

/** @param unitCount how many units the agent has ever had */
function compared(given: Partial<ComparedUnits>, unitCount = 10): ComparedUnits {
  const set = emptyWorkingSet();
  set.agents.set(rows.agent._id, { ...rows.agent, unitCount });
  return { set, linkCosine: 0.5, stored: [], chunk: [], ...given };
}

function idsOf(given: Partial<ComparedUnits>, unitCount?: number) {
  return similarUnits(embedded(9), compared(given, unitCount)).map(({ _id }) => _id);
}

describe('the units that one may be linked to', () => {
  it('are what the stores have found, and the similar ones of its chunk and its agent', () => {
    const stored = [{ ...embedded(1).unit, cosine: 0.6 }];
    const chunk = [embedded(2), embedded(3, y), embedded(4, x, createRows('public', 'bob'))];
    expect(idsOf({ stored, chunk })).toEqual(['unit-1', 'unit-2']);
    expect(similarUnits(embedded(9), compared({ chunk }))).toMatchObject([{ _id: 'unit-2', cosine: 1 }]);
  });

  it('do not include itself, which is stored already when its vector comes later', () => {
    expect(idsOf({ stored: [{ ...embedded(9).unit, cosine: 1 }] })).toEqual([]);
  });

  it('are among the newest of the agent, wherever they were found', () => {
    const stored = [1, 2].map((ordinal) => ({ ...embedded(ordinal).unit, cosine: 1 }));
    const chunk = [embedded(1), embedded(2)];
    expect(idsOf({ stored, chunk }, linkSettings.semanticNewest + 1)).toEqual(['unit-2', 'unit-2']);
  });
});

it('a repeated unit is not counted as created by its operation, if that is known', () => {
  const set = rowsAfter(createLogWriter().submitted('a', null, 'x'));
  uncountRepeated(set, 'a');
  uncountRepeated(set, 'unknown');
  expect([...set.operations.values()]).toMatchObject([{ _id: 'a', unitsCreated: -1 }]);
});
