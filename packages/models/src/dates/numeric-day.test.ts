import { expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';
import { isoDayText } from './date-words.ts';

function daysIn(text: string): string {
  return annotateDates(text, readItemDate('2026-11-16T10:00:00Z')).days.map(isoDayText).join(' ');
}

test.each([
  ['We paid on 13.11.2026.', '2026-11-13'],
  ['We paid on 3.4.2026.', '2026-04-03'],
  ['We paid on 1.12.2026.', '2026-12-01'],
  ['We paid on 13/11/2026.', '2026-11-13'],
  ['We paid on 11/13/2026.', '2026-11-13'],
  ['We paid on 05/05/2026.', '2026-05-05'],
  ['We paid on 13-11-2026.', '2026-11-13'],
  ['We paid on 2026/11/13.', '2026-11-13'],
  ['We paid on 2026/3/4.', '2026-03-04'],
  ['We paid on 13-Nov-2026.', '2026-11-13'],
  ['We paid on 13/Nov/26.', '2026-11-13'],
  ['We paid on 13-SEPT-2026.', '2026-09-13'],
  ['Paid: 13/11/2026, 14:00', '2026-11-13'],
  ['The plumber (13.11.2026) was paid.', '2026-11-13'],
  ['We made the update on 13.11.2026.', '2026-11-13'],
  ['Released 13.11.2026', '2026-11-13'],
  ['Release: 13.11.2026', '2026-11-13'],
  ['The release is on 13.11.2026.', '2026-11-13'],
  ['Moved the release to 13.11.2026.', '2026-11-13'],
  ['The update 13.11.2026 went well.', '2026-11-13'],
  ['We changed the date to 13.11.2026.', '2026-11-13'],
  ['The trip was updated to 13/11/2026.', '2026-11-13'],
  ['The upgrade was made on 13.11.2026.', '2026-11-13'],
  ['We upgraded to 12.10.2023 on 13.11.2026.', '2026-11-13'],
  ['The deadline was updated to 13.12.2026.', '2026-12-13'],
  ['The exam in maths has been updated to 10.11.2026.', '2026-11-10'],
  ['The trip was updated to 13.12.2026.', '2026-12-13'],
  ['Deadline of 01.11.2026, updated to 13.12.2026.', '2026-11-01 2026-12-13'],
  ['The film releases 13.12.2026.', '2026-12-13'],
  ['The film releases 12.10.2023.', '2023-10-12'],
  ['Album release 10.11.2026.', '2026-11-10'],
  ['New releases 13.11.2026: Dune 3.', '2026-11-13'],
  ['The record releases 10.11.2026 in Europe.', '2026-11-10'],
  ['Her release 05.11.2026 from hospital was early.', '2026-11-05'],
  ['The contract was updated to 01.11.2026.', '2026-11-01'],
  ['The price list was updated to 01.10.2026.', '2026-10-01'],
  ['The server contract was updated to 01.11.2026.', '2026-11-01'],
  ['The course was in May, it was updated to 01.11.2026.', '2026-11-01'],
  ['The release 13.12.2026 was confirmed.', '2026-12-13'],
  ['Press release 13.11.2026: Acme bought Brightfield.', '2026-11-13'],
  ['We sang from 13.11.2026 to 15.11.2026.', '2026-11-13 2026-11-15'],
  ['We sang on 13.11.2026–15.11.2026.', '2026-11-13 2026-11-15'],
])('%s names a day', (text, expected) => {
  expect(daysIn(text)).toBe(expected);
});

test.each([
  ['We paid on 03/04/2026.'],
  ['We paid on 3-4-2026.'],
  ['There is no 31.02.2026.'],
  ['We run 10.0.13.'],
  ['We run version 1.12.2026.'],
  ['We run v1.12.2026.'],
  ['Update to 12.10.2023 of the driver.'],
  ['Upgrade to 12.10.2023 of the driver.'],
  ['We updated to 12.10.2023.'],
  ['She upgraded to 12.10.2023.'],
  ['The server updates to 12.10.2023.'],
  ['Updating to 12.10.2023 failed.'],
  ['Upgrading to 12.10.2023 failed.'],
  ['We use release 12.10.2023.'],
  ['Release 12.10.2023 is slow.'],
  ['The fix is in releases 12.10.2023 and later.'],
  ['The test server was updated to 12.10.2023.'],
  ['Please update to 13.12.2026.'],
  ['Fixed in release 12.10.2023.'],
  ['Acme releases 12.10.2023 fixed the crash.'],
  ['The library release 12.10.2023 is slow.'],
  ['We installed the new release 12.10.2023.'],
  ['I have just upgraded to 12.10.2023.'],
  ['Firmware was updated to 12.10.2023.'],
  ['The server is 10.0.13.7.'],
  ['It cost 13.11 euros, or 13.11.2026,50.'],
  ['Call +49 13-11-2026.'],
  ['Phone: 13-11-2026'],
  ['Invoice no. 13/11/2026'],
  ['The serial is 13-11-2026-7.'],
  ['The serial is 113-11-2026.'],
  ['See https://example.com/2026/11/13/post.'],
  ['See scan-13-11-2026.pdf.'],
  ['The fair is 13.–15.11.2026.'],
  ['The fair is 13 to 15.11.2026.'],
  ['The ratio is 1/2/2026.'],
  ['We met 13/11 and 12.11.'],
  ['It is 13-Lov-2026.'],
])('%s names none', (text) => {
  expect(daysIn(text)).toBe('');
});

test.each([
  ['We paid on 03/04/2026 and on 13/04/2026.', '2026-04-03 2026-04-13'],
  ['We paid on 03/04/2026 and on 04/13/2026.', '2026-03-04 2026-04-13'],
  ['We paid on 03/04/2026, 13/04/2026 and 04/13/2026.', '2026-04-13'],
  ['We paid on 03/04/2026 and on 13.04.2026.', '2026-04-13'],
  ['13/1/24, 10:42 - Anna: We paid on 03/04/2023.', '2023-04-03'],
  ['[1/13/24, 10:42:11 AM] Anna: We paid on 03/04/2023.', '2023-03-04'],
  ['[1/13/24, 10:42:11 AM] Anna: We paid on 03/04/2023 and on 13/04/2023.', '2023-04-13'],
])('other dates of the text tell what stands first: %s', (text, expected) => {
  expect(daysIn(text)).toBe(expected);
});
