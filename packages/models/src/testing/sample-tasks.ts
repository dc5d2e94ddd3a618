import type { Models } from '../models.ts';
import type { RevisionInput, ThinkInput } from '../reasoning-ports.ts';

/** An agent without leanings. */
export const neutralAgent = {
  personality: {
    openness: 0.5,
    conscientiousness: 0.5,
    extraversion: 0.5,
    agreeableness: 0.5,
    neuroticism: 0.5,
    bias_strength: 0.5,
  },
  background: 'I am a librarian.',
};

const leanings = { openness: 0.9, extraversion: 0.1, neuroticism: 0.3, bias_strength: 0.9 };
const agent = { ...neutralAgent, personality: { ...neutralAgent.personality, ...leanings } };

export const question: ThinkInput = {
  query: 'Where does Anna live?',
  context: 'She asked me today.',
  agent,
  worldFacts: [{ text: 'Anna lives in Rome.', eventDate: '2023-05-07T12:00:00.000Z' }],
  agentFacts: [{ text: 'I booked a table for Anna.', eventDate: null }],
  opinions: [{ text: 'I think Rome is loud.', eventDate: null, confidence: 0.7 }],
  now: '2023-06-01T08:00:00Z',
};

export const item = { content: 'Anna lives in Rome.', eventDate: '2023-05-08T13:56:00Z', context: null };

export const taskNames = ['extract', 'think', 'opinions', 'revise', 'background', 'traits'] as const;
export type TaskName = (typeof taskNames)[number];

/** An opinion of a day in January that a fact of February changed, and a fact of March. */
export const revision: RevisionInput = {
  opinion: { text: 'I think so.', confidence: 0.6 },
  formedAt: '2023-01-10T12:00:00.000Z',
  factsUntil: '2023-02-10T12:00:00.000Z',
  facts: [{ text: 'No.', eventDate: '2023-03-10T12:00:00.000Z' }],
  agent: neutralAgent,
  now: '2023-06-01T08:00:00Z',
};

/** One typical request for each task of a language model. */
export const tasks: Readonly<Record<TaskName, (models: Models, signal?: AbortSignal) => Promise<unknown>>> = {
  extract: (models, signal) => models.extractor.extract(item, signal),
  think: (models, signal) => models.thinker.think(question, signal),
  opinions: (models, signal) =>
    models.opinions.form({ query: 'q', answer: 'I think so.', agent, knownOpinions: [] }, signal),
  revise: (models, signal) => models.opinions.revise({ ...revision, agent }, signal),
  background: (models, signal) => models.background.merge({ current: '', addition: 'You are kind.' }, signal),
  traits: (models, signal) => models.background.inferTraits('I am kind.', signal),
};
