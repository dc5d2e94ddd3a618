import { expect, test } from 'vitest';
import { dayOfEvent } from './calendar.ts';
import { isoDayText } from './date-words.ts';

test.each([
  ['2024-05-08T02:00:00.000Z', '2024-06-01T12:00:00-08:00', '2024-05-07'],
  ['2024-05-08T20:00:00.000Z', '2024-06-01T12:00:00+09:00', '2024-05-09'],
  ['2024-05-08T00:00:00.000Z', '2024-06-01T12:00:00-08:00', '2024-05-08'],
  ['2024-05-08', '2024-06-01T12:00:00-08:00', '2024-05-08'],
])('an event of %s, seen from %s, is on %s', (eventDate, now, expected) => {
  const day = dayOfEvent(eventDate, now);
  expect(day && isoDayText(day)).toBe(expected);
});
