import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './row-formats.ts';

describe('a cell', () => {
  it.each([
    ['null', ''],
    ['true', 'true'],
    ['-1.50', '-1.50'],
    ['9007199254740993', '9007199254740993'],
    ['1e400', '1e400'],
    ['""', ''],
    ['"a\\u00fcb"', 'aüb'],
    ['[1, "=2"]', '[1, "=2"]'],
  ])('of %s is %s', (json, cell) => expect(csvCell(json)).toBe(cell));

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', "=cmd|' /C calc'!A0"])(
    'never runs in a spreadsheet: %j',
    (text) => expect(csvCell(JSON.stringify(text))).toBe(`'${text}`),
  );
});

describe('a line', () => {
  it('quotes what would end a cell', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', 'h\r', ''])).toBe('a,"b,c","d""e","f\ng","h\r",\r\n');
  });
});
