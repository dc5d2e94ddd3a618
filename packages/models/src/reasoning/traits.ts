import { splitSentences } from '../extraction/sentences.ts';
import { type Traits, traitNames } from '../reasoning-ports.ts';
import { replaceQuotes } from '../text/quotes.ts';
import { indicationsIn } from './trait-clauses.ts';

const middle = 0.5;
/** How much one word moves a trait. */
const step = 0.15;
const lowest = 0.05;
const highest = 0.95;
const quotes = { longest: 2_000, overLines: true };

/**
 * Infers the Big Five traits from what a background in the first person says about the agent itself; 0.5 for a trait about
 * which it says nothing. Quotations do not count.
 */
export function readTraits(background: string): Traits {
  const own = replaceQuotes(background, quotes, () => '…');
  const sums = new Map<keyof Traits, number>();
  for (const { start, end } of splitSentences(own)) {
    for (const { trait, direction } of indicationsIn(own.slice(start, end))) {
      sums.set(trait, (sums.get(trait) ?? 0) + direction);
    }
  }
  const entries = traitNames.map((trait) => [trait, clamp(middle + step * (sums.get(trait) ?? 0))]);
  return Object.fromEntries(entries) as Record<keyof Traits, number>;
}

function clamp(value: number): number {
  return Math.round(Math.min(highest, Math.max(lowest, value)) * 100) / 100;
}
