import { type Traits, traitNames } from '../reasoning-ports.ts';
import { createStemming } from '../text/stems.ts';
import { words } from '../text/words.ts';
import { traitWords } from './trait-words.ts';

/** How far one word moves a trait from the middle. */
const step = 0.15;
const lowest = 0.05;
const highest = 0.95;
/** A negation changes the sides of so many words after it. */
const negationReach = 3;
const negation = /^(?:not|never|no|hardly|rarely|without|seldom)$|n't$/;

/** Reads the Big Five from words that speak of them; what no word speaks of is 0.5. */
export function createTraitReading(): (background: string) => Traits {
  const stem = createStemming();
  const sides = new Map<string, { trait: keyof Traits; side: number }>();
  for (const trait of traitNames) {
    for (const word of traitWords[trait].high) sides.set(stem(word), { trait, side: 1 });
    for (const word of traitWords[trait].low) sides.set(stem(word), { trait, side: -1 });
  }
  return (background) => {
    const sums = new Map<keyof Traits, number>();
    const all = words(background);
    for (const [index, word] of all.entries()) {
      const found = sides.get(stem(word));
      if (found === undefined) continue;
      const isNegated = all.slice(Math.max(0, index - negationReach), index).some((before) => negation.test(before));
      sums.set(found.trait, (sums.get(found.trait) ?? 0) + (isNegated ? -found.side : found.side));
    }
    const read = (trait: keyof Traits) => clamp(0.5 + step * (sums.get(trait) ?? 0));
    return {
      openness: read('openness'),
      conscientiousness: read('conscientiousness'),
      extraversion: read('extraversion'),
      agreeableness: read('agreeableness'),
      neuroticism: read('neuroticism'),
    };
  };
}

function clamp(value: number): number {
  return Math.round(Math.min(highest, Math.max(lowest, value)) * 100) / 100;
}
