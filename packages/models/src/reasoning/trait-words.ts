import type { Traits } from '../reasoning-ports.ts';

interface Sides {
  readonly high: readonly string[];
  readonly low: readonly string[];
}

const list = (text: string) => text.trim().split(/\s+/);

/** Words by which people are described, each with the one trait it speaks of most plainly. */
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
