import type { BackgroundInput } from '../reasoning-ports.ts';
import { createQuoting, quotedIsMaterial } from './quoted.ts';

export const version = 'background.v3';

export const mergeSystem = `You keep the text in which an agent says who it is. You get the text as it is now, and something new about the agent. You write the whole text anew.

${quotedIsMaterial}

- Write in the first person: "I am ...", "My ...". Both texts are about the agent, whether they say "you", "the agent", "he", "she" or its name.
- Where the new contradicts the old, the new holds and the old goes. Keep everything else of the old.
- Say nothing twice, and add nothing that stands in neither text.
- Plain sentences in the language of the new text. No headings, no lists, no remarks about the change.

Answer with one JSON object of the form {"background":"I am ..."}, and nothing else.`;

export function mergeUser({ current, addition }: BackgroundInput): string {
  const quoted = createQuoting();
  return `The text now:\n${quoted('current', current.trim() || 'empty')}\n\nNew about the agent:\n${quoted('new', addition)}`;
}

export const traitsSystem = `You read how an agent describes itself, and say what this tells about its Big Five personality traits.

${quotedIsMaterial}

Each trait is a number from 0 to 1, and 0.5 is where most people are. Stay at 0.5 where the text tells nothing. Go beyond 0.2 or 0.8 only when the text is plain about it.
- openness: curiosity, imagination, love of the new (high); the tried and practical (low)
- conscientiousness: order, diligence, plans (high); spontaneity, carelessness (low)
- extraversion: company, talk, energy (high); quiet, being alone (low)
- agreeableness: warmth, help, trust (high); bluntness, rivalry, distrust (low)
- neuroticism: worry, moods, stress (high); calm, composure (low)

Answer with one JSON object of the form {"openness":0.5,"conscientiousness":0.5,"extraversion":0.5,"agreeableness":0.5,"neuroticism":0.5}, and nothing else.`;

export function traitsUser(background: string): string {
  return createQuoting()('background', background);
}
