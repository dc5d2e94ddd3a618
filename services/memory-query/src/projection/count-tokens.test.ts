import { longestStallOf } from '@mneme/workers/testing';
import { expect, test } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { tokensOf } from '../units/text.ts';
import { countTokens } from './count-tokens.ts';

let seed = 1;
/** A word that no tokenizer knows, which is what takes longest. */
function unknownWord(length: number): string {
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (seed % 26));
  }).join('');
}

test('counts the tokens of all facts', async () => {
  const log = createLogWriter();
  const texts = ['Alice has a goat.', 'The goat has a bell.'];
  const events = [log.submitted('batch', null, ...texts), await log.extracted('batch', null, ...texts)];
  expect(await countTokens(events)).toEqual(new Map(texts.map((text) => [text, tokensOf(text)])));
});

test('pages of words that no one knows hold up nothing else', async () => {
  const count = async () => {
    const texts = Array.from({ length: 100 }, () => unknownWord(2_000));
    await countTokens([await createLogWriter().extracted('batch', null, ...texts)]);
  };
  expect(await longestStallOf(count, 60)).toBeLessThan(150);
});
