import { expect, test } from 'vitest';
import { words } from './words.ts';

test.each([
  ["Anna's cat doesn't like Ben’s dog", ['anna', 'cat', "doesn't", 'like', 'ben', 'dog']],
  ['Room 101, B-12; 3.5 km', ['room', '101', 'b', '12', '3', '5', 'km']],
  ['Müller ging nach ZÜRICH', ['müller', 'ging', 'nach', 'zürich']],
  ['ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
  ['我爱你', ['我爱', '爱你']],
  ['猫', ['猫']],
  ['コーヒー', ['コー', 'ーヒ', 'ヒー']],
  ['iPhone14は新しい', ['iphone14', 'は新', '新し', 'しい']],
  ['שלום עולם', ['שלום', 'עולם']],
  ['caf\u0065\u0301 café', ['café', 'café']],
  ['😀 … !', []],
])('%s', (text, expected) => {
  expect(words(text)).toEqual(expected);
});
