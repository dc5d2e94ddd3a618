import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';

const said = readItemDate('2026-11-16T10:00:00Z');
const textOf = (text: string) => annotateDates(text, said).text;

describe('what is below a version and its date was written then', () => {
  test.each([
    '## [2.3.0] - 2026-10-21',
    '## 2.3.0 (2026-10-21)',
    '## v2.3.0-rc.1, 21 October 2026',
    '# Version 2.3 – October 21, 2026',
    '## [2.3.0](https://example.org/compare/v2.2.0...v2.3.0) (2026-10-21)',
  ])('%s', (heading) => {
    expect(textOf(`${heading}\n### Fixed\n- The crash of yesterday\n`)).toContain('yesterday (20 October 2026)');
  });

  test('up to the next heading of its level', () => {
    const text = textOf('## 2.3.0 - 2026-10-21\n- Fixed yesterday.\n## Unreleased\n- The crash of yesterday');
    expect(text).toMatch(/20 October 2026(.*\n){2}.*15 November 2026/);
  });

  test.each([
    '## 2.3.0 - 2026-12-21',
    '## Room 2.3 on 2026-10-21',
    '2.3.0 - 2026-10-21',
    '## 2.3.0 - 2026-10-21 or later',
  ])('but not %s', (heading) => {
    expect(textOf(`${heading}\nThe crash of yesterday`)).toContain('yesterday (15 November 2026)');
  });
});

describe('what has a time below a line of a day was written on it', () => {
  test.each([
    '--- Day changed Wed Nov 04 2026',
    '--- Wed Nov 04 2026 ---',
    '== 2026-11-04 ==',
    '— 4 November 2026 —',
    '4 November 2026',
    'Wednesday, November 4, 2026\n',
  ])('%j', (line) => {
    expect(textOf(`Chat\n${line}\n10:16 <anna> I left yesterday`)).toContain('yesterday (3 November 2026)');
  });

  test.each([
    '4 November 2026\n10:16 Dentist\n\nI left yesterday',
    'Tue 3 November 2026\n10:16 Dentist\nWed 4 November 2027\nI left yesterday',
  ])('but not below an empty line or another day: %j', (text) => {
    expect(textOf(`Plan\n${text}`)).toContain('yesterday (15 November 2026)');
  });

  test('also below an empty line with a time, and in a text with CRLF', () => {
    const text = 'Plan\n4 November 2026\n10:16 Dentist\nA long wait.\n\n11:20 I left yesterday';
    expect(textOf(text)).toContain('yesterday (3 November 2026)');
    expect(textOf(text.replaceAll('\n', '\r\n'))).toContain('yesterday (3 November 2026)');
    expect(textOf('[2026-11-04 10:16] Anna: Hi\r\nI left yesterday')).toContain('yesterday (3 November 2026)');
  });

  test('up to the next one', () => {
    const text = '--- 4 November 2026\n10:16 <anna> Hi\n--- 9 November 2026\n[10:16] <anna> I left yesterday';
    expect(textOf(text)).toContain('yesterday (8 November 2026)');
  });

  test.each([
    'The wedding was on\n4 November 2026\nand Anna left yesterday.',
    '- 4 November 2026: kickoff\n10:16 Anna left yesterday.',
    '--- 4 December 2026\n10:16 Anna left yesterday.',
    '--- Day changed from 4 November 2026\n10:16 Anna left yesterday.',
  ])('but not %j', (text) => {
    expect(textOf(text)).toContain('yesterday (15 November 2026)');
  });
});
