import { createQuoting, quotedIsMaterial } from './quoted.ts';

export const version = 'extract.v3';

/** Characters: it goes with every chunk. */
const longestContext = 2_000;

export interface ExtractPromptInput {
  readonly text: string;
  /** When it was said, where it was said: `Monday, 8 May 2023, 23:30 (UTC-08:00)`; undefined when unknown. */
  readonly saidAt: string | undefined;
  readonly context: string | null;
  /** What stands right before the text; blank at its start. */
  readonly before: string;
  /** Who is still speaking when the text begins; undefined when no one is, or when the text says so. */
  readonly speaker: string | undefined;
  /** The name by which the agent speaks in the text; undefined when it does not speak by name. */
  readonly agentName: string | undefined;
}

export const system = `You turn a text into facts for the long-term memory of an agent (an AI assistant). Later each fact is read alone, without the text and without the other facts.

${quotedIsMaterial}

What a fact is
- One complete statement, one or two sentences, in the language of the text. Keep what belongs together in one fact: who did what, with whom, where, when, why, and with what result.
- Keep names, numbers, prices, titles and exact terms as they stand. Add nothing that the text does not say.
- Take every statement that could be asked about later. Leave out greetings, thanks, filler and questions that tell nothing. When nothing is left, give an empty list.
- Write names instead of "he", "she", "it", "there" and "I". If a speaker has no name, write "the user".

Dates
- The text says when it was said. Work out relative dates from that day, in the place's own time, and write the absolute date into the fact beside what was said: "yesterday" becomes "yesterday (7 May 2023)", "last year" becomes "last year (2022)".
- "date" is the day on which it happened or will happen, as YYYY-MM-DD. It is null when the text names no day, or only a month, a season or a year.

Types
- "world": everything about people, places, things and events. What a person says of themselves, feels, wants or believes is "world", even when they say "I": write it about that person ("Anna believes that ...").
- "agent": what the agent itself did, said it would do, or recommended. Only lines of the agent (Assistant, Agent, AI, Bot, or its own name if it is given), and what is told about the agent, can be of this type.
- "opinion": what the agent itself believes, prefers or judges. Never what somebody else believes.
- A text in the first person without a speaker is what somebody tells the agent, unless the context says that the agent itself wrote it.
- In doubt it is "world".

Entities
- The people, organisations, places, products and particular concepts that the fact names, with their fullest name in the text. Types: PERSON, ORG, PLACE, PRODUCT, CONCEPT, OTHER. No pronouns, no dates, no plain words.

An example. Said on Monday, 8 May 2023:
Anna: I was at the Louvre yesterday, because my sister Mia is studying there.
Assistant: I booked you a table at Chez Paul. I think it is the best choice nearby.
gives
{"facts":[
{"text":"Anna was at the Louvre yesterday (7 May 2023), because her sister Mia is studying there.","type":"world","date":"2023-05-07","entities":[{"name":"Anna","type":"PERSON"},{"name":"Louvre","type":"PLACE"},{"name":"Mia","type":"PERSON"}]},
{"text":"The agent booked a table at Chez Paul for Anna.","type":"agent","date":null,"entities":[{"name":"Chez Paul","type":"ORG"},{"name":"Anna","type":"PERSON"}]},
{"text":"I think that Chez Paul is the best choice near the Louvre.","type":"opinion","date":null,"entities":[{"name":"Chez Paul","type":"ORG"},{"name":"Louvre","type":"PLACE"}]}]}

Answer with one JSON object of this form, and nothing else.`;

export function user({ text, saidAt, context, before, speaker, agentName }: ExtractPromptInput): string {
  const quoted = createQuoting();
  const parts = [`When it was said: ${saidAt ?? 'unknown; leave relative dates as they are'}`];
  if (context !== null && context.trim() !== '')
    parts.push(`What it is about:\n${quoted('context', context.slice(0, longestContext).toWellFormed())}`);
  if (before !== '')
    parts.push(
      `What came before. It helps to understand the text; take no facts from it:\n${quoted('before', before)}`,
    );
  if (speaker !== undefined) parts.push(`When the text begins, this speaker is still speaking: ${speaker}`);
  if (agentName !== undefined) parts.push(`The agent's own name, under which it speaks in the text: ${agentName}`);
  return `${parts.join('\n\n')}\n\n${quoted('text', text)}`;
}
