import type { Item } from '@mneme/client';
import { mneme } from '../../app/client.ts';
import { guardCaller } from '../../app/session/identity.ts';

/** No one else would call an agent so. */
export const sampleAgentId = 'mneme-sample';

const background =
  'I am a travel assistant. I plan trips for Ana and her family, and I prefer trains, small places and the sea.';
const personality = {
  openness: 0.8,
  conscientiousness: 0.7,
  extraversion: 0.5,
  agreeableness: 0.8,
  neuroticism: 0.2,
  bias_strength: 0.6,
};

interface SampleDocument {
  readonly documentId: string;
  readonly items: readonly Item[];
}

function chat(documentId: string, date: string, ...turns: readonly (readonly ['user' | 'assistant', string])[]) {
  const items = turns.map(([role, content], index) => ({
    role,
    content,
    eventDate: date,
    context: `turn ${index + 1}`,
  }));
  return { documentId, items } satisfies SampleDocument;
}

const documents: readonly SampleDocument[] = [
  chat(
    'chat/first-talk',
    '2026-03-02T18:10:00Z',
    ['user', 'Hello, I am Ana Ferreira. I moved from Porto to Lisbon last month because I work for Atlas Maps now.'],
    ['assistant', 'I noted that Ana Ferreira lives in Lisbon and works for Atlas Maps.'],
    ['user', 'My brother Tiago lives in Porto. My daughter Inês is seven years old and is afraid of flying.'],
    ['user', 'I love the sea, and I get seasick on big ferries. Small sailing boats are fine.'],
  ),
  chat(
    'chat/easter-trip',
    '2026-03-20T19:00:00Z',
    ['user', 'We want to visit Tiago in Porto at Easter. Inês would like to see the dolphins.'],
    ['assistant', 'I booked the train from Lisbon to Porto for Ana and Inês on 2 April 2026.'],
    ['assistant', 'I recommended a sailing boat on the Douro instead of the ferry.'],
    ['user', 'The train was wonderful. Inês fell asleep and was not afraid at all.'],
    ['user', 'The dolphin tour was cancelled because of the storm, which made Inês sad.'],
  ),
  chat(
    'chat/summer-plans',
    '2026-05-11T20:30:00Z',
    ['user', 'My birthday is on 24 July. I want to spend it by the sea with Tiago and Inês.'],
    ['user', 'Atlas Maps sends me to Berlin for two weeks in September.'],
    ['assistant', 'I found a small house near Tavira for Ana, Tiago and Inês in the last week of July.'],
    ['user', 'The house near Tavira is perfect. Tiago wants to bring his dog Bolota.'],
  ),
];

/** What comes to be an opinion of the agent. */
const question = 'What would Ana like to do on her birthday, and do you think she would enjoy a boat trip?';

export type SampleStep = 'profile' | 'documents' | 'thinking';

/**
 * Stores the agent with its memories, for whom the page acts now. Repeated, it replaces its conversations by themselves.
 * @param onStep what begins
 */
export async function storeSampleAgent(onStep: (step: SampleStep) => void): Promise<void> {
  const agent = mneme.agent(sampleAgentId);
  const assertSameCaller = guardCaller();
  onStep('profile');
  await agent.profile.update({ personality, background });
  onStep('documents');
  for (const { items, documentId } of documents) {
    assertSameCaller();
    await agent.remember(items, { documentId });
  }
  assertSameCaller();
  onStep('thinking');
  await agent.think(question);
}
