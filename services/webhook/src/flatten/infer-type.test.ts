import { expect, it } from 'vitest';
import { inferType } from './infer-type.ts';

const cases: [value: unknown, type: string][] = [
  [null, 'text'],
  [true, 'checkbox'],
  [false, 'checkbox'],
  [0, 'number'],
  [-1.5, 'number'],
  ['2024-01-31', 'date'],
  ['2024-99-99x', 'date'],
  ['2024-01-31@home', 'date'],
  ['2024-01-31 http://a@b', 'date'],
  ['24-01-31', 'text'],
  ['2024-1-31', 'text'],
  [' 2024-01-31', 'text'],
  ['http://a@b', 'url'],
  ['https://a.example', 'url'],
  ['HTTP://a.example', 'text'],
  ['ftp://a.example', 'text'],
  ['http:/a', 'text'],
  [' https://a', 'text'],
  ['https://', 'url'],
  ['a@b', 'email'],
  ['@', 'email'],
  [`a@b${'x'.repeat(297)}`, 'email'],
  ['x'.repeat(200), 'text'],
  ['x'.repeat(201), 'longtext'],
  ['😀'.repeat(100), 'text'],
  ['😀'.repeat(101), 'longtext'],
  [`https://${'x'.repeat(300)}`, 'url'],
  [[], 'multiselect'],
  [[1], 'multiselect'],
  [[{ a: 1 }, { b: [2] }], 'multiselect'],
  ['', 'text'],
  ['true', 'text'],
  ['12', 'text'],
  ['a\u0000b', 'text'],
  ['\ud800', 'text'],
];

it.each(cases)('%j is %s', (value, type) => {
  expect(inferType(JSON.stringify(value))).toBe(type);
});

it.each(['9007199254740993', '1e400', '-0', '1.10'])('%s is a number', (json) => {
  expect(inferType(json)).toBe('number');
});
