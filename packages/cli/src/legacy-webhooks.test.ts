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
  [`${JSON.stringify(record)}\n{`, 'Line 2 is not JSON.'],
  [JSON.stringify([record, { ...record, token: 'short' }]), 'Record 2: token: must be 32 characters of a-z and 0-9'],
  [JSON.stringify([{ ...record, project_id: '1' }]), 'Record 1: project_id: '],
  ['[1]', 'Record 1: record: '],
])('says where %s is wrong', (text, message) => {
  expect(() => parseLegacyWebhooks(text)).toThrow(message);
});
