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
