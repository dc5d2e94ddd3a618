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
  'Who flew the Boeing 737-800?',
  'Which budget was cut in FY24 or FY2024?',
  'Is GPT-5 better than GPT-4?',
  'Does it run on Node 22 or Node20?',
  'Who had COVID-19 in summer-2025?',
  'Did the train 10:45 leave?',
  'Who lives in D-10115 Berlin?',
  'What is our #1 priority?',
  'Where is gate B12?',
])('%s names no identifier', (question) => {
  expect(identifiersOf(question)).toBeUndefined();
});

it.each([
  ['Was invoice INV-55 paid?', 'INV-55/2024 was paid.', 'asked'],
  ['Was invoice INV-55 paid?', 'INV-0055 was paid.', 'asked'],
  ['What happened to ticket SUP-1205?', 'Ticket SUP-1101 was closed.', 'other'],
  ['Where is order 7731?', 'Orders 7702 and 7731 are late.', 'none'],
  ['What is E-3307?', 'Ana has an E5 visa.', 'none'],
  ['Was invoice INV-55/2024 paid?', 'INV-55 was paid.', 'none'],
  ['Was invoice INV-55 paid?', 'INV 88 times, INV-2024 and INV-10:45 are none.', 'none'],
  ['Who signed contract 12?', 'Contract 12.3 is about rent.', 'asked'],
  ['Who flew a Boeing-737?', 'Ana flew a Boeing 737-800.', 'asked'],
  ['What is the colour of locker 500?', 'The bike cost 500 euros.', 'none'],
  ['What is the colour of locker 500?', 'Ben ran 500 m.', 'none'],
  ['Who sits in room 101?', 'The chair was 101 euros.', 'none'],
  ['Where is order 7731?', 'The bike cost 7731 euros.', 'none'],
  ['Where is order 7731?', 'The bike cost EUR 7731.', 'none'],
  ['Where is order 7731?', 'The bike cost $7731.', 'none'],
  ['Where is order 7731?', 'Ben ran 7731 m, 7731m and 7731 %.', 'none'],
  ['Where is order 7731?', 'Ben has SKU-7731.', 'none'],
  ['Where is order 7731?', 'Ben took flight 7731.', 'none'],
  ['Where is order 7731?', 'Anna wants to order 2 pizzas.', 'none'],
  ['Who has #1999?', 'Ben was born in 1999.', 'none'],
])('%s with %j: %s', (question, text, identified) => {
  expect(identifiersOf(question)?.(text)).toBe(identified);
});

it.each(['Which invoice came after INV-155?', 'Which invoices are between INV-150 and INV-190?'])(
  '%s may be answered by others',
  (question) => {
    expect(identifiersOf(question)?.('INV-188 was paid.')).toBe('none');
  },
);

it('reads a long text in a moment', () => {
  const identified = identifiersOf(`Was invoice inv-55 paid? ${'1-'.repeat(2_000)}`);
  const started = performance.now();
  for (const text of ['inv '.repeat(20_000), 'inv-'.repeat(20_000), '1-'.repeat(40_000)]) identified?.(text);
  expect(performance.now() - started).toBeLessThan(500);
});
