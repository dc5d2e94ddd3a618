import { defaultColumns } from '@mneme/contracts';
import { longestStallOf } from '@mneme/workers/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { processDeliveries, readItems } from '../table/process-deliveries.ts';
import { createPayloadReader, readColumns } from './payload-columns.ts';

const megabyte = 2 ** 20;
const membersOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

const payloads = createPayloadReader(2);
afterAll(() => payloads.close());

describe('the columns of a payload are the same', () => {
  it.each([
    ['a long text', JSON.stringify({ a: 'x'.repeat(20_000), b: { c: '2024-01-31' }, source_ip: 1 })],
    ['1000 fields', membersOf(1_000).replaceAll(':1', ':"0123456789012345"')],
    ['too many fields', membersOf(90_000)],
    ['no JSON', `{${'x'.repeat(20_000)}`],
    ['too deep', '['.repeat(10_000) + ']'.repeat(10_000)],
  ])('in a thread as without one: %s', async (_, payload) => {
    expect(payload.length).toBeGreaterThan(16 * 1024);
    expect(await payloads.read(payload)).toEqual(readColumns(payload));
  });
});

it('a payload that takes too long to read is an error of its own', async () => {
  const payload = `{"a":[${'[],'.repeat(megabyte)}1]}`;
  const hasty = createPayloadReader(1, () => 1);
  expect(await hasty.read(payload)).toEqual({ error: 'The payload takes too long to read' });
  expect(await payloads.read(payload)).toEqual({
    columns: [{ columnName: 'a', displayName: 'a', type: 'multiselect' }],
  });
});

describe('the event loop is not blocked', () => {
  const longestStallMs = 100;
  const table = { columns: defaultColumns, upTo: 0 };

  it.each([
    ['16 deliveries of a megabyte with 90 000 members', 16, membersOf(90_000)],
    ['16 deliveries of a megabyte of lists', 16, `{"a":[${'[],'.repeat(megabyte / 3)}1]}`],
    ['16 deliveries of a megabyte of empty objects', 16, `{${'"":{},'.repeat(megabyte / 6)}"a":1}`],
    ['500 of the longest payloads that are read without a thread', 500, membersOf(1_500)],
  ])('by %s', async (_, count, payload) => {
    const items = Array.from({ length: count }, (_, index) => {
      return { sequence: index + 1, deliveryId: index + 1, webhookId: 1, payload, replay: null };
    });
    let processed: ReturnType<typeof processDeliveries>;
    const stallMs = await longestStallOf(async () => {
      processed = processDeliveries(1, table, await readItems(payloads, items));
    }, longestStallMs);
    expect(processed?.calls).toHaveLength(count);
    expect(stallMs).toBeLessThan(longestStallMs);
  });
});
