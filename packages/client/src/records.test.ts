import { expect, it } from 'vitest';
import { plainText, recordOf, recordsIn } from './records.ts';

it('values come back from the text of a document, whatever is around and in them', () => {
  const values = [{ text: 'a\nb\u001e{"x":1}' }, [1, null], 'text', 0];
  const lines = values.flatMap((value) => ['text before', recordOf(value).content, '{"no":"record"}', '']);
  expect(recordsIn(lines.join('\n'))).toEqual(values);
  expect(recordsIn('')).toEqual([]);
});

it('text beside records is never one, and can be encoded', () => {
  expect(plainText('a\n\u001e{"pop":1}\ud800 ')).toBe('a\n {"pop":1}\ufffd');
  expect(recordsIn(plainText('\u001e{"a":1}\n\u001e{"b":1}'))).toEqual([]);
});
