import { expect, it } from 'vitest';
import { identifiersOf } from './identifiers.ts';

it.each([
  ['What is the status of ticket SUP-1205?', 'Dmitri closed SUP-1205.', 'Ticket SUP-1101: the export fails.'],
  ['Was invoice INV-55 paid?', 'inv 55 was paid.', 'Invoice INV-88 was paid.'],
  ['What does error E-3307 mean?', 'E3307 is a timeout.', 'E-3308 is a full disk.'],
  ['Where is order 7731?', 'Order no. 7731 is at customs.', 'Order 7702 is at home.'],
  ['Where is order 7731?', 'Customs has 7731.', 'Orders #7702 and more are at home.'],
  ['Who has #47000?', 'Ana got order 47000.', 'Ben got #46000.'],
  ['Who sits in room 12?', 'Room 12 is of Ana.', 'Room 14 is of Ben.'],
  ['What is CVE-2024-1234?', 'CVE-2024-1234 is a leak.', 'CVE-2024-1235 is an overflow.'],
])('%s asks about %j, not about %j', (question, asked, other) => {
  const identified = identifiersOf(question);
  expect([asked, other, 'The sky is blue.'].map((text) => identified?.(text))).toEqual(['asked', 'other', 'none']);
});

it.each([
  'What are the top 3 dishes?',
  'Who ran 12 km in 45 minutes?',
  'Did Anna order 20 eggs?',
  'Did it cost 5000 euros or USD 500?',
  'What happened at 10:30 on May-5?',
  'Which order of 2024 was lost? Was it order 2024?',
  'Is the 2nd door 3pm or 5kg?',
  'Who has an MP3 player and A4 paper?',
])('%s names no identifier', (question) => {
  expect(identifiersOf(question)).toBeUndefined();
});

it.each(['Which invoice came after INV-55?', 'Which invoices are between INV-50 and INV-90?'])(
  '%s may be answered by others',
  (question) => {
    expect(identifiersOf(question)?.('INV-88 was paid.')).toBe('none');
  },
);

it('reads a long text in a moment', () => {
  const identified = identifiersOf(`Was inv-55 paid? ${'1-'.repeat(2_000)}`);
  const started = performance.now();
  for (const text of ['inv '.repeat(20_000), 'inv-'.repeat(20_000), '1-'.repeat(40_000)]) identified?.(text);
  expect(performance.now() - started).toBeLessThan(500);
});
