import { defaultColumns } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { createPayloadReader } from '../flatten/payload-columns.ts';
import {
  type ProcessedTable,
  processDeliveries as processRead,
  readItems,
  type WorkItem,
} from './process-deliveries.ts';

const tableId = 1;
const empty = { columns: defaultColumns, upTo: 0 };
const item = (sequence: number, payload: string, more: Partial<WorkItem> = {}): WorkItem => ({
  sequence,
  deliveryId: sequence,
  webhookId: 7,
  payload,
  replay: null,
  ...more,
});

const processDeliveries = async (...[id, table, items]: [number, ProcessedTable, readonly WorkItem[]]) =>
  processRead(id, table, await readItems(createPayloadReader(), items));

describe('processing deliveries', () => {
  it('adds a column once, with the type of its first value', async () => {
    const processed = await processDeliveries(tableId, empty, [
      item(5, '{"a":null}'),
      item(6, '{"a":1,"B c":true}'),
      item(7, '{"a":[]}'),
      item(8, '[{"z":1}]'),
    ]);
    expect(processed).toEqual({
      tableId,
      upTo: 8,
      newColumns: [
        { columnName: 'a', displayName: 'a', type: 'text' },
        { columnName: 'b_c', displayName: 'B c', type: 'checkbox' },
      ],
      calls: [5, 6, 7, 8].map((deliveryId) => ({ callId: deliveryId, webhookId: 7, error: null, replay: null })),
    });
  });

  it('adds no column that exists, and no reserved one, whether the table has it or not', async () => {
    const payload = '{"received_at":1,"Source-IP":2,"raw_payload":3}';
    for (const columns of [defaultColumns, []]) {
      expect((await processDeliveries(tableId, { columns, upTo: 0 }, [item(5, payload)]))?.newColumns).toEqual([]);
    }
  });

  it('skips deliveries that were processed before, so processing them again changes nothing', async () => {
    const items = [item(5, '{"a":1}'), item(6, '{"b":1}')];
    expect(await processDeliveries(tableId, { ...empty, upTo: 6 }, items)).toBeUndefined();
    const processed = await processDeliveries(tableId, { ...empty, upTo: 5 }, items);
    expect(processed?.calls.map(({ callId }) => callId)).toEqual([6]);
    expect(await processDeliveries(tableId, empty, [])).toBeUndefined();
  });

  it('reports why a delivery failed, and adds no columns for it', async () => {
    const bad = `{"z":1,"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    const processed = await processDeliveries(tableId, empty, [item(5, bad), item(6, 'no JSON'), item(7, '{"a":1}')]);
    expect(processed?.calls.map(({ error }) => error)).toEqual([
      'The payload is deeper than 100 levels',
      'The payload is not JSON',
      null,
    ]);
    expect(processed?.newColumns.map(({ columnName }) => columnName)).toEqual(['a']);
  });

  it('stops at the most columns that a table may have, and goes on with deliveries that add none', async () => {
    const columns = Array.from({ length: 999 }, (_, index) => {
      return { columnName: `k${index}`, displayName: '', type: 'text' } as const;
    });
    const items = [item(5, '{"x":1,"y":2}'), item(6, '{"x":1,"k1":2}'), item(7, '{"y":1}'), item(8, '{"k1":1,"x":2}')];
    const processed = await processDeliveries(tableId, { columns, upTo: 0 }, items);
    const error = 'The table would have more than 1000 columns';
    expect(processed?.calls.map(({ error }) => error)).toEqual([error, null, error, null]);
    expect(processed?.newColumns.map(({ columnName }) => columnName)).toEqual(['x']);
  });

  it('processes a replayed delivery under its own id', async () => {
    const processed = await processDeliveries(tableId, { ...empty, upTo: 8 }, [
      item(9, '{"a":1}', { deliveryId: 5, replay: 8 }),
    ]);
    expect(processed).toMatchObject({ upTo: 9, calls: [{ callId: 5, replay: 8 }] });
  });
});
