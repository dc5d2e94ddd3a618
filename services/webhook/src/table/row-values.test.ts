import { defaultColumns } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { rowValues } from './row-values.ts';

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
