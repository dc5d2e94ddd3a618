import { type Personality, type Traits, traitNames } from '../reasoning-ports.ts';

/** From hardly to very, five steps. */
const traitWords: Record<keyof Traits, readonly [string, string, string, string, string]> = {
  openness: [
    'very attached to what is tried and known',
    'rather careful with new ideas',
    'as open to new ideas as most',
    'open to new ideas',
    'very open to new ideas, curious and imaginative',
  ],
  conscientiousness: [
    'very spontaneous, with little care for plans and order',
    'rather easy-going about plans and order',
    'as orderly as most',
    'careful and reliable',
    'very thorough, orderly and disciplined',
  ],
  extraversion: [
    'very reserved and quiet',
    'rather reserved',
    'neither reserved nor outgoing',
    'outgoing and talkative',
    'very outgoing, lively and full of energy',
  ],
  agreeableness: [
    'very blunt and competitive',
    'rather critical of others',
    'as warm and as critical as most',
    'warm and ready to help',
    'very warm, trusting and considerate',
  ],
  neuroticism: [
    'very calm, hardly ever worried',
    'rather calm',
    'as easily worried as most',
    'easily worried',
    'very easily worried and quick to see what may go wrong',
  ],
};

const biasWords = [
  'Do not let this character colour your judgement: the facts alone decide.',
  'Let this character colour your judgement only a little; the facts come first.',
  'Let this character colour your judgement where the facts leave room.',
  'Let this character clearly colour how you judge and what you stress, without bending facts.',
  'Let this character strongly colour how you judge and what you stress, without bending facts.',
] as const;

/** The traits in words, one line each: `very open to new ideas, curious and imaginative (openness)`. */
export function describeTraits(personality: Traits): string {
  return traitNames.map((name) => `- ${traitWords[name][stepOf(personality[name])]} (${name})`).join('\n');
}

/** How much the traits may colour a judgement, as an instruction. */
export function describeBias({ bias_strength: strength }: Personality): string {
  return `${biasWords[stepOf(strength)]} (Bias strength ${strength.toFixed(2)} of 1.)`;
}

function stepOf(value: number): 0 | 1 | 2 | 3 | 4 {
  if (value < 0.2) return 0;
  if (value < 0.4) return 1;
  if (value <= 0.6) return 2;
  return value <= 0.8 ? 3 : 4;
}
