import { type Traits, traitNames } from '../reasoning-ports.ts';
import { words } from '../text/words.ts';

const middle = 0.5;
/** How much one word moves a trait. */
const step = 0.15;
const lowest = 0.05;
const highest = 0.95;
/** A negation inverts this many words after it, within its part of the sentence. */
const negationReach = 3;
const negation = /^(?:not|never|no|hardly|rarely|without|seldom|neither|nor)$|n't$/;

interface Side {
  readonly trait: keyof Traits;
  readonly change: number;
}

/** Infers the Big Five traits from words; 0.5 for a trait without words. */
export function createTraitReading(): (background: string) => Traits {
  const sides = new Map<string, Side>();
  for (const trait of traitNames) {
    for (const word of traitWords[trait].high) sides.set(word, { trait, change: step });
    for (const word of traitWords[trait].low) sides.set(word, { trait, change: -step });
  }
  return (background) => {
    const found = background.split(/[.,;:!?\n]|\bbut\b/).flatMap((part) => sidesIn(words(part), sides));
    const read = (trait: keyof Traits) =>
      clamp(found.reduce((sum, side) => sum + (side.trait === trait ? side.change : 0), middle));
    return {
      openness: read('openness'),
      conscientiousness: read('conscientiousness'),
      extraversion: read('extraversion'),
      agreeableness: read('agreeableness'),
      neuroticism: read('neuroticism'),
    };
  };
}

function sidesIn(part: readonly string[], sides: ReadonlyMap<string, Side>): Side[] {
  return part.flatMap((word, index) => {
    const side = sides.get(word);
    if (side === undefined) return [];
    const isDenied = part.slice(Math.max(0, index - negationReach), index).some((before) => negation.test(before));
    return [isDenied ? { ...side, change: -side.change } : side];
  });
}

function clamp(value: number): number {
  return Math.round(Math.min(highest, Math.max(lowest, value)) * 100) / 100;
}

interface Sides {
  readonly high: readonly string[];
  readonly low: readonly string[];
}

const list = (text: string) => text.trim().split(/\s+/);

/** Words that describe people, each with the trait that it indicates best. */
export const traitWords: Readonly<Record<keyof Traits, Sides>> = {
  openness: {
    high: list(
      'curious curiosity creative creativity imaginative inventive adventurous artistic philosophical explorer innovative unconventional poetic intellectual',
    ),
    low: list('conventional traditional conservative unimaginative pragmatic dogmatic'),
  },
  conscientiousness: {
    high: list(
      'organized organised careful disciplined thorough reliable diligent punctual precise meticulous responsible hardworking methodical systematic orderly dependable conscientious perfectionist',
    ),
    low: list(
      'careless messy lazy disorganized disorganised chaotic spontaneous impulsive unreliable forgetful sloppy negligent',
    ),
  },
  extraversion: {
    high: list(
      'outgoing talkative sociable energetic lively extroverted extraverted enthusiastic gregarious assertive cheerful charismatic',
    ),
    low: list('shy quiet reserved introverted solitary withdrawn silent loner timid taciturn'),
  },
  agreeableness: {
    high: list(
      'kind friendly helpful warm empathetic compassionate generous trusting caring considerate cooperative gentle forgiving polite supportive patient',
    ),
    low: list(
      'rude blunt hostile competitive selfish cynical suspicious stubborn harsh aggressive sarcastic ruthless distrustful',
    ),
  },
  neuroticism: {
    high: list(
      'anxious nervous worried moody stressed insecure fearful irritable tense emotional pessimistic depressed panicky',
    ),
    low: list('calm relaxed stable composed serene confident unflappable resilient optimistic'),
  },
};
