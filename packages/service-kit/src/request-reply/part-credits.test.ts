import { expect, it } from 'vitest';
import { PartCredits } from './part-credits.ts';

function createCredits() {
  const asked: [string, number][] = [];
  return { asked, credits: new PartCredits((subject, parts) => asked.push([subject, parts])) };
}

const total = (asked: readonly [string, number][]) => asked.reduce((sum, [, parts]) => sum + parts, 0);

it('never has more than 16 parts in flight, however many replies there are', () => {
  const { asked, credits } = createCredits();
  const transfers = Array.from({ length: 10 }, (_, index) => credits.begin(`t${index}`, 100));
  expect(total(asked)).toBe(16);
  const [first] = transfers;
  for (let part = 1; part <= 4; part += 1) {
    if (first) credits.received(first);
    expect(total(asked)).toBe(16 + part);
  }
});

it('lets replies take turns', () => {
  const { asked, credits } = createCredits();
  const large = credits.begin('large', 1_000);
  credits.begin('other', 3);
  for (let part = 0; part < 4; part += 1) credits.received(large);
  expect(asked.slice(-2).map(([subject]) => subject)).toContain('other');
});

it('gets back the credits of a reply that ended early', () => {
  const { asked, credits } = createCredits();
  const abandoned = credits.begin('abandoned', 1_000);
  credits.begin('other', 10);
  expect(total(asked.filter(([subject]) => subject === 'other'))).toBe(0);
  credits.end(abandoned);
  expect(total(asked.filter(([subject]) => subject === 'other'))).toBe(10);
  credits.received(abandoned);
  credits.begin('third', 100);
  expect(total(asked.filter(([subject]) => subject === 'third'))).toBe(6);
});
