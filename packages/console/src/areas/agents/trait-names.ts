import type { Personality } from '@mneme/client';

export type Trait = keyof Personality;

/** In the order of the Big Five, and how strongly they influence opinions. */
export const traits = [
  'openness',
  'conscientiousness',
  'extraversion',
  'agreeableness',
  'neuroticism',
  'bias_strength',
] as const satisfies readonly Trait[];

/** The traits that differ. */
export function changedTraits(before: Personality, after: Personality): readonly Trait[] {
  return traits.filter((trait) => before[trait] !== after[trait]);
}
