import { type Traits, traitNames } from '../reasoning-ports.ts';

/** Which trait a word indicates, and in which direction: 1 or -1. */
export interface Indication {
  readonly trait: keyof Traits;
  readonly direction: 1 | -1;
}

interface Family {
  readonly high: string;
  readonly low: string;
}
type Families = Readonly<Record<keyof Traits, Family>>;

/** Words that describe a person: "I am ..." or "I am a ... founder". */
const descriptions: Families = {
  openness: {
    high: `curious creative imaginative inventive adventurous artistic philosophical explorer innovative unconventional
      poetic intellectual open-minded openminded visionary dreamer experimental adventurer`,
    low: 'conventional traditional conservative unimaginative pragmatic dogmatic narrow-minded close-minded closed-minded',
  },
  conscientiousness: {
    high: `organized organised well-organized well-organised careful disciplined self-disciplined thorough reliable diligent
      punctual precise meticulous responsible hardworking hard-working methodical systematic orderly tidy dependable
      conscientious perfectionist detail-oriented`,
    low: `careless messy lazy disorganized disorganised chaotic spontaneous impulsive unreliable forgetful sloppy negligent
      reckless undisciplined procrastinator`,
  },
  extraversion: {
    high: `outgoing talkative sociable social energetic lively extroverted extraverted extrovert extravert enthusiastic
      gregarious assertive cheerful charismatic`,
    low: 'shy quiet reserved introverted introvert solitary withdrawn silent loner timid taciturn',
  },
  agreeableness: {
    high: `kind kind-hearted friendly helpful warm warm-hearted empathetic compassionate generous trusting caring considerate
      cooperative gentle forgiving polite supportive patient`,
    low: `rude blunt hostile competitive selfish cynical suspicious stubborn harsh aggressive sarcastic ruthless distrustful
      argumentative impatient`,
  },
  neuroticism: {
    high: `anxious nervous worried worrier moody stressed insecure fearful irritable tense emotional pessimistic pessimist
      depressed panicky neurotic`,
    low: 'calm relaxed stable composed serene confident unflappable resilient optimistic optimist easygoing easy-going',
  },
};

/** What a person likes, or does not: "I thrive on ...", "I avoid ...". */
const pursuits: Families = {
  openness: {
    high: 'risk risks risk-taking novelty adventure adventures change art poetry philosophy ideas experiments experimenting exploring creativity imagination variety',
    low: 'routine routines tradition traditions familiarity',
  },
  conscientiousness: {
    high: 'order planning plans schedules structure checklists precision discipline tidiness',
    low: 'chaos procrastinating disorder',
  },
  extraversion: {
    high: 'social socializing socialising crowds parties people networking meeting talking',
    low: 'solitude alone silence',
  },
  agreeableness: {
    high: 'helping cooperation cooperating teamwork harmony sharing compromise',
    low: 'conflict conflicts arguing arguments competition competing winning',
  },
  neuroticism: { high: 'drama', low: 'pressure' },
};

/** What a person does by habit: "I (often) ...". */
const habits: Families = {
  openness: { high: 'daydream experiment explore', low: '' },
  conscientiousness: { high: 'double-check', low: 'procrastinate dawdle' },
  extraversion: { high: 'socialize socialise mingle', low: '' },
  agreeableness: { high: 'cooperate sympathize sympathise', low: 'argue quarrel' },
  neuroticism: { high: 'worry panic fret overthink', low: '' },
};

/** The words of each kind, each once. */
export const traitWords = {
  descriptions: indicationsOf(descriptions),
  pursuits: indicationsOf(pursuits),
  habits: indicationsOf(habits),
} as const;

function indicationsOf(families: Families): ReadonlyMap<string, Indication> {
  const indications = new Map<string, Indication>();
  for (const trait of traitNames) {
    for (const word of wordsOf(families[trait].high)) indications.set(word, { trait, direction: 1 });
    for (const word of wordsOf(families[trait].low)) indications.set(word, { trait, direction: -1 });
  }
  return indications;
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
