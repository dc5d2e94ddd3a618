import { defaultColumns, type WebhookEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { createPayloadReader } from '../flatten/payload-columns.ts';
import { tableDecider } from './decider.ts';
import { readItems } from './process-deliveries.ts';

const table = {
  tableId: 1,
  projectId: 2,
  name: 'orders',
  displayName: 'Orders',
  createdBy: 3,
  commandId: 'c',
  columns: [...defaultColumns],
};
const created = { type: 'TableCreated', data: table } as const;
const payloads = createPayloadReader();
const item = { sequence: 5, deliveryId: 5, webhookId: 7, payload: '{"a":1}', replay: null };
const processDeliveries = { type: 'ProcessDeliveries', tableId: 1, items: await readItems(payloads, [item]) } as const;
const processed = (upTo: number, newColumn: string): WebhookEvent => ({
  type: 'CallsProcessed',
  data: {
    tableId: 1,
    upTo,
    newColumns: [{ columnName: newColumn, displayName: newColumn, type: 'number' }],
    calls: [{ callId: 5, webhookId: 7, error: null, replay: null }],
  },
});

const nothing = specify(tableDecider);
const aTable = nothing.given([created]);

it('is created once, however often the command comes', () => {
  nothing.when({ type: 'CreateTable', table }).then([created]);
  aTable.when({ type: 'CreateTable', table }).then([]);
});

it('gets the outcome of a delivery once, however often the delivery is processed', () => {
  aTable.when(processDeliveries).then([processed(5, 'a')]);
  aTable
    .given([processed(5, 'a')])
    .when(processDeliveries)
    .then([]);
});

it('knows its columns when a later delivery is processed', async () => {
  const items = await readItems(payloads, [{ ...item, sequence: 9, payload: '{"a":1,"b":2}' }]);
  const command = { type: 'ProcessDeliveries', tableId: 1, items } as const;
  aTable
    .given([processed(5, 'a')])
    .when(command)
    .then([processed(9, 'b')]);
});

it('takes no column of a delivery whose columns do not fit into an event', () => {
  const error = 'The new columns of the payload take more than the event log can keep at once';
  const failed = { tableId: 1, upTo: 5, newColumns: [], calls: [{ callId: 5, webhookId: 7, error, replay: null }] };
  aTable.when({ ...processDeliveries, isWithoutColumns: true }).then([{ type: 'CallsProcessed', data: failed }]);
});

it('gets nothing before it is created', () => {
  nothing.when(processDeliveries).then([]);
});

it('keeps a row byte for byte, which does not change what is processed', () => {
  const kept = { type: 'RowKept', data: new TextEncoder().encode('{"é":1.10}') } as const;
  nothing.when({ type: 'KeepRow', payload: '{"é":1.10}' }).then([kept]);
  aTable
    .given([kept])
    .when(processDeliveries)
    .then([processed(5, 'a')]);
});
