import { defaultColumns, type RecordedColumn, type RowOfTable } from '@mneme/contracts';
import { longestStallOf } from '@mneme/workers/testing';
import { describe, expect, it } from 'vitest';
import { readColumns } from '../flatten/payload-columns.ts';
import { maxRowBytes, rowsThatFit, rowValues } from './row-values.ts';

const row = (payload: string) => ({ payload, sourceIp: '::1', createdAt: new Date('2026-01-02T03:04:05.678Z') });
const column = (columnName: string) => ({ columnName, displayName: columnName, type: 'text' }) as const;
const standard = [
  ['received_at', '"2026-01-02T03:04:05.678Z"'],
  ['source_ip', '"::1"'],
];

it('values are in the order of the columns, missing ones are left out', () => {
  const payload = '{"b": 1.10, "a":[ ]}';
  const columns = [...defaultColumns, column('a'), column('c'), column('b')];
  const raw = ['raw_payload', JSON.stringify(payload)];
  expect(rowValues(columns, row(payload))).toEqual([...standard, raw, ['a', '[ ]'], ['b', '1.10']]);
});

it('a payload overwrites the default values', () => {
  const values = rowValues(defaultColumns, row('{"Received-At":1,"source_ip":{"x":2},"raw_payload":"mine"}'));
  expect(Object.fromEntries(values)).toMatchObject({ received_at: '1', source_ip: '"::1"', raw_payload: '"mine"' });
});

it('a table without the default columns has the default values first', () => {
  const names = rowValues([column('a')], row('{"a":1}')).map(([name]) => name);
  expect(names).toEqual(['received_at', 'source_ip', 'raw_payload', 'a']);
});

it('a payload that is no object has the default columns only', () => {
  expect(rowValues(defaultColumns, row('[1,2]'))).toEqual([...standard, ['raw_payload', '"[1,2]"']]);
});

describe('the rows of many deliveries', () => {
  const longestStallMs = 100;
  const kibibyte = 1024;
  const mebibyte = 1024 * kibibyte;
  const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
  const escapes = (bytes: number) => JSON.stringify({ a: '"'.repeat(bytes / 2) });

  function columnsOf(payload: string): RecordedColumn[] {
    const read = readColumns(payload);
    if ('error' in read) throw new Error(read.error);
    return [...defaultColumns, ...read.columns];
  }

  /** A page of rows, encoded as the reply is. */
  async function encodedRows(
    payload: string,
    count: number,
    columns = columnsOf(payload),
  ): Promise<{ rows: RowOfTable[]; bytes: number }> {
    const deliveries = Array.from({ length: count }, (_, index) => ({ _id: index + 1, ...row(payload) }));
    const rows = await rowsThatFit(columns, deliveries);
    return { rows, bytes: encode(rows).byteLength };
  }

  function encode(rows: readonly RowOfTable[]): Buffer {
    return Buffer.from(JSON.stringify({ rows, total: rows.length }));
  }

  /** What other work has to wait for on this machine: a row and a reply are made in one go each. */
  async function undividedMs(columns: RecordedColumn[], payload: string, rows: readonly RowOfTable[]): Promise<number> {
    const oneRowMs = await longestStallOf(() => encodedRows(payload, 1, columns), 0);
    return oneRowMs + (await longestStallOf(async () => encode(rows), 0));
  }

  it.each([
    ['1,000 payloads with as many members as a table has columns', `{${members(997)}}`, 1_000],
    ['1,000 payloads with long names', `{"${'k'.repeat(240)}":{${members(900)}}}`, 1_000],
    [
      '512 of the longest payloads that are read without a thread',
      `{${members(1_000)},"t":"${'x'.repeat(7_000)}"}`,
      512,
    ],
    ['8 payloads of a megabyte of texts', `{"a":[${'"",'.repeat(mebibyte / 3)}1]}`, 8],
    ['8 payloads of a megabyte of escapes', escapes(mebibyte), 8],
  ])('do not block the event loop: %s', async (_, payload, count) => {
    let page = { rows: [] as RowOfTable[], bytes: 0 };
    // The columns of a table are known when its rows are read.
    const columns = columnsOf(payload);
    const stallMs = await longestStallOf(async () => {
      page = await encodedRows(payload, count, columns);
    }, longestStallMs);
    expect(page.rows.length).toBeGreaterThan(0);
    expect(stallMs).toBeLessThan(Math.max(longestStallMs, 1.6 * (await undividedMs(columns, payload, page.rows))));
  });

  it('end where the reply would be too large, though payloads are small', async () => {
    const { rows, bytes } = await encodedRows(`{"${'k'.repeat(240)}":{${members(900)}}}`, 1_000);
    expect(rows.length).toBeLessThan(1_000);
    expect(bytes).toBeGreaterThan(0.9 * maxRowBytes);
    expect(bytes).toBeLessThan(1.01 * maxRowBytes);
  });

  it('end after the first one where it is too large alone', async () => {
    const { rows } = await encodedRows(escapes(3 * mebibyte), 2);
    expect(rows.map(({ id }) => id)).toEqual([1]);
  });

  it('are all there where they fit', async () => {
    const { rows } = await encodedRows('{"a":1}', 1_000);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });
});
