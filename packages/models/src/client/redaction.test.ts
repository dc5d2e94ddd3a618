import { expect, test } from 'vitest';
import { createRedaction } from './redaction.ts';

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
