import { expect, it } from 'vitest';
import { attachment } from './attachment.ts';

it.each([
  ['orders', `filename="orders.csv"; filename*=UTF-8''orders.csv`],
  ['größe 日本', `filename="gr__e __.csv"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%E6%97%A5%E6%9C%AC.csv`],
  ['../../etc/passwd', `filename="_.._etc_passwd.csv"; filename*=UTF-8''_.._etc_passwd.csv`],
  ['a"b\r\nSet-Cookie: x', `filename="a_b__Set-Cookie_ x.csv"; filename*=UTF-8''a_b__Set-Cookie_%20x.csv`],
  ["100% 'it'*", `filename="100_ 'it'_.csv"; filename*=UTF-8''100%25%20%27it%27_.csv`],
  ['...', `filename="table.csv"; filename*=UTF-8''table.csv`],
  ['\u{202e}gnp', `filename="_gnp.csv"; filename*=UTF-8''_gnp.csv`],
])('the name of %j is harmless', (name, expected) => {
  expect(attachment(name, 'csv')).toBe(`attachment; ${expected}`);
});

it('is of a length that a file may have', () => {
  const [, encoded = ''] = /UTF-8''(.*)$/.exec(attachment('日'.repeat(255), 'csv')) ?? [];
  expect(Buffer.byteLength(decodeURIComponent(encoded))).toBeLessThanOrEqual(204);
});
