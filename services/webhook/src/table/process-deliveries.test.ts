import { defaultColumns } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import {
  type ProcessedTable,
  processDeliveries as processRead,
  readItems,
  type WorkItem,
} from './process-deliveries.ts';

const tableId = 1;
const empty = { columns: defaultColumns, upTo: 0 };
const item = (sequence: number, payload: string, more: Partial<WorkItem> = {}): WorkItem => ({
  ...{ sequence, callId: sequence, webhookId: 7, payload, replay: null },
  ...more,
});

const processDeliveries = async (...[id, table, items]: [number, ProcessedTable, readonly WorkItem[]]) =>
  processRead(id, table, await readItems(items));

describe('working calls off', () => {
  it('adds a column once, with the type of the first value that is seen', async () => {
    const processed = await processDeliveries(tableId, empty, [
      item(5, '{"a":null}'),
      item(6, '{"a":1,"B c":true}'),
      item(7, '{"a":[]}'),
    ]);
    expect(processed).toEqual({
      ...{ tableId, upTo: 7 },
      newColumns: [
        { columnName: 'a', displayName: 'a', type: 'text' },
        { columnName: 'b_c', displayName: 'B c', type: 'checkbox' },
      ],
      calls: [5, 6, 7].map((callId) => ({ callId, webhookId: 7, error: null, replay: null })),
    });
  });

  it('adds none for what is there, nor for reserved names, whether the table has these or not', async () => {
    const payload = '{"received_at":1,"Source-IP":2,"raw_payload":3}';
    for (const columns of [defaultColumns, []]) {
      expect((await processDeliveries(tableId, { columns, upTo: 0 }, [item(5, payload)]))?.newColumns).toEqual([]);
    }
  });

  it('passes over what was worked off before, so that the same calls again change nothing', async () => {
    const items = [item(5, '{"a":1}'), item(6, '{"b":1}')];
    expect(await processDeliveries(tableId, { ...empty, upTo: 6 }, items)).toBeUndefined();
    const processed = await processDeliveries(tableId, { ...empty, upTo: 5 }, items);
    expect(processed?.calls.map(({ callId }) => callId)).toEqual([6]);
    expect(await processDeliveries(tableId, empty, [])).toBeUndefined();
  });

  it('says of each call what went wrong, and lets it add nothing', async () => {
    const bad = `{"z":1,"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    const processed = await processDeliveries(tableId, empty, [item(5, bad), item(6, 'no JSON'), item(7, '{"a":1}')]);
    expect(processed?.calls.map(({ error }) => error)).toEqual([
      'The payload is deeper than 100 levels',
      'The payload is not JSON',
      null,
    ]);
    expect(processed?.newColumns.map(({ columnName }) => columnName)).toEqual(['a']);
  });

  it('keeps to the most columns that a table may have, and goes on with calls that add none', async () => {
    const columns = Array.from({ length: 999 }, (_, index) => {
      return { columnName: `k${index}`, displayName: '', type: 'text' } as const;
    });
    const items = [item(5, '{"x":1,"y":2}'), item(6, '{"x":1,"k1":2}'), item(7, '{"y":1}'), item(8, '{"k1":1,"x":2}')];
    const processed = await processDeliveries(tableId, { columns, upTo: 0 }, items);
    const error = 'The table would have more than 1000 columns';
    expect(processed?.calls.map((call) => call.error)).toEqual([error, null, error, null]);
    expect(processed?.newColumns.map(({ columnName }) => columnName)).toEqual(['x']);
  });

  it('works a call off again under the number that it has', async () => {
    const processed = await processDeliveries(tableId, { ...empty, upTo: 8 }, [
      item(9, '{"a":1}', { callId: 5, replay: 8 }),
    ]);
    expect(processed).toMatchObject({ upTo: 9, calls: [{ callId: 5, replay: 8 }] });
  });
});
