import { defaultColumns } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { tableDecider } from './decider.ts';
import { readItems } from './process-deliveries.ts';

const table = {
  ...{ tableId: 1, projectId: 2, name: 'orders', displayName: 'Orders', createdBy: 3, commandId: 'c' },
  columns: [...defaultColumns],
};
const created = { type: 'TableCreated', data: table } as const;
const item = { sequence: 5, callId: 5, webhookId: 7, payload: '{"a":1}', replay: null };
const processDeliveries = { type: 'ProcessDeliveries', tableId: 1, items: await readItems([item]) } as const;

describe('a table', () => {
  it('is made once', () => {
    const command = { type: 'CreateTable', table } as const;
    expect(tableDecider.decide(command, tableDecider.initialState)).toEqual([created]);
    const state = tableDecider.evolve(tableDecider.initialState, created);
    expect(tableDecider.decide(command, state)).toEqual([]);
  });

  it('gets rows and columns once, however often the same deliveries come', () => {
    const state = tableDecider.evolve(tableDecider.initialState, created);
    const events = tableDecider.decide(processDeliveries, state);
    expect(events).toMatchObject([{ type: 'CallsProcessed', data: { upTo: 5, newColumns: [{ columnName: 'a' }] } }]);
    const after = events.reduce(tableDecider.evolve, state);
    expect([after.columns.length, after.upTo]).toEqual([4, 5]);
    expect(tableDecider.decide(processDeliveries, after)).toEqual([]);
  });

  it('that is not there gets nothing', () => {
    expect(tableDecider.decide(processDeliveries, tableDecider.initialState)).toEqual([]);
  });

  it('keeps a row byte for byte, and is no further for it', () => {
    const [kept] = tableDecider.decide({ type: 'KeepRow', payload: '{"é":1.10}' }, tableDecider.initialState);
    expect(kept).toEqual({ type: 'RowKept', data: new TextEncoder().encode('{"é":1.10}') });
    const state = tableDecider.evolve(tableDecider.initialState, created);
    expect(kept && tableDecider.evolve(state, kept)).toEqual(state);
  });
});
