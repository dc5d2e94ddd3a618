import { expect, it } from 'vitest';
import { KeptFacts } from './kept-facts.ts';

const fact = (text: string) => ({ text, factType: 'world', eventDate: null, entities: [] }) as const;

it('keeps the facts of each item of a batch until they are forgotten', () => {
  const kept = new KeptFacts();
  kept.of('one').set(3, [fact('Anna sings.')]);
  kept.of('one').set(4, []);
  kept.of('two').set(3, [fact('Ben dances.')]);
  expect([3, 4, 5].map((item) => kept.of('one').get(item)?.length)).toEqual([1, 0, undefined]);
  kept.forget('one');
  expect([kept.of('one').get(3), kept.of('two').get(3)?.length]).toEqual([undefined, 1]);
});

it('keeps no more than 64 MiB: the batch goes first that was longest without an attempt', () => {
  const kept = new KeptFacts();
  const large = 'x'.repeat(10_000_000);
  for (const batch of ['first', 'second', 'third']) kept.of(batch).set(0, [fact(large)]);
  kept.of('first').set(1, [fact('Anna sings.')]);
  kept.of('fourth').set(0, [fact(large)]);
  const held = ['first', 'second', 'third', 'fourth'].filter((batch) => kept.of(batch).get(0) !== undefined);
  expect(held).toEqual(['first', 'third', 'fourth']);
});
