import { expect, it } from 'vitest';
import { rawMember } from './raw-member.ts';

it.each([
  ['{"payload":1.10}', '1.10'],
  [
    ' \ufeff{ "a" : [1, {"payload": 2}], "payload" : { "b": "x}\\",{" , "c":[] } , "d": 3 } ',
    '{ "b": "x}\\",{" , "c":[] }',
  ],
  ['{"payload":1,"payload":2}', '2'],
  ['{"p\\u0061yload":"ü"}', '"ü"'],
  ['{"a":{"payload":1},"b":["payload"],"c":"payload"}', undefined],
  ['{"":{},"payloads":1}', undefined],
  ['{}', undefined],
])('the text of a member of %s', (json, expected) => {
  expect(rawMember(Buffer.from(json), 'payload')).toBe(expected);
});
