import { expect, test } from 'vitest';
import { createRedaction, readRetryAfter } from './failure.ts';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['0', 0],
  ['7', 7000],
  [' 2.5 ', 2500],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 11:59:00 GMT', 0],
  ['Friday, 20-Nov-26 12:01:00 GMT', 60_000],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['99999999999', undefined],
])('Retry-After %j is %j ms', (value, expected) => {
  expect(readRetryAfter(value, now)).toBe(expected);
});

const redact = createRedaction(['my-own-key', undefined, '']);

test.each([
  ['The key my-own-key is wrong', 'The key [key] is wrong'],
  ['Incorrect API key provided: sk-proj-abc***xyz.', 'Incorrect API key provided: [key]'],
  ['Header Authorization: Bearer abc.def', 'Header Authorization: [key]'],
  ['line one\n  line two', 'line one line two'],
  ['the model gpt-4o-mini is busy', 'the model gpt-4o-mini is busy'],
])('%j', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

test('a long text is cut', () => {
  expect(redact('word '.repeat(1000)).length).toBeLessThan(310);
});
