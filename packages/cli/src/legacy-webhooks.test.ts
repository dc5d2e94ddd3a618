import { expect, it } from 'vitest';
import { parseLegacyWebhooks } from './legacy-webhooks.ts';

const token = 'a'.repeat(32);
const record = { project_id: 1, name: 'Orders', token };

it.each([
  ['an array', ['Record 1', 'Record 2'], JSON.stringify([{ ...record, is_active: 0 }, record])],
  [
    'lines, empty ones aside',
    ['Line 1', 'Line 3'],
    `${JSON.stringify({ ...record, is_active: 0 })}\n\n${JSON.stringify(record)}\n`,
  ],
  [
    'an array behind a byte order mark',
    ['Record 1', 'Record 2'],
    `\uFEFF${JSON.stringify([{ ...record, is_active: 0 }, record])}`,
  ],
  [
    'lines behind one',
    ['Line 1', 'Line 2'],
    `\uFEFF${JSON.stringify({ ...record, is_active: 0 })}\r\n${JSON.stringify(record)}\r\n`,
  ],
])('reads %s', (_, places, text) => {
  const webhooks = [{ ...record, is_active: false }, record];
  expect(parseLegacyWebhooks(text)).toEqual(webhooks.map((webhook, index) => ({ place: places[index], webhook })));
});

it.each([
  ['2020-01-01', '2020-01-01T00:00:00.000Z'],
  ['2020-01-01T10:00:00', '2020-01-01T10:00:00.000Z'],
  ['2020-01-01 10:00:00+05:30', '2020-01-01T10:00:00.000+05:30'],
])('reads %s as a time of the API: in UTC unless it has an offset', (created_at, read) => {
  expect(parseLegacyWebhooks(JSON.stringify({ ...record, created_at }))[0]?.webhook.created_at).toBe(read);
});

it('reads which signatures are checked, and refuses secrets without that', () => {
  const verification = { type: 'github', secret: 'very-secret-words' };
  expect(parseLegacyWebhooks(JSON.stringify({ ...record, verification, secret: null }))[0]?.webhook).toMatchObject({
    verification,
  });
  const refusalOf = (more: object) => () => parseLegacyWebhooks(JSON.stringify([record, { ...record, ...more }]));
  expect(refusalOf({ verification: { type: 'github' } })).toThrow(
    'Record 2: verification.secret: A secret is needed to check signatures',
  );
  expect(refusalOf({ secret: 'very-secret-words' })).toThrow(
    'Record 2: secret: is not imported: give it in verification',
  );
});

it.each([
  [`${JSON.stringify(record)}\n{`, 'Line 2 is not JSON.'],
  [JSON.stringify([record, { ...record, token: 'short' }]), 'Record 2: token: must be 32 characters of a-z and 0-9'],
  [JSON.stringify([{ ...record, project_id: '1' }]), 'Record 1: project_id: '],
  [JSON.stringify({ ...record, created_at: '2020-13-01' }), 'Line 1: created_at: Input should be a valid date'],
  ['[1]', 'Record 1: record: '],
])('says where %s is wrong', (text, message) => {
  expect(() => parseLegacyWebhooks(text)).toThrow(message);
});
