import { createInterface } from 'node:readline';
import { Mneme } from '@mneme/client';
import { answer, type Message } from './model.ts';

const { MNEME_URL, MNEME_API_KEY } = process.env;
const mneme = new Mneme({ baseUrl: MNEME_URL || undefined, apiKey: MNEME_API_KEY || undefined });
const agent = mneme.agent('chat-example');
const documentId = `chat ${new Date().toISOString()}`;
const messages: Message[] = [];

/** One turn: what is recalled stands before the message of the user, and is no part of the history. */
async function reply(text: string): Promise<string> {
  const recalled = await agent.context(text);
  const said = await answer([
    ...messages,
    { role: 'user', content: recalled === '' ? text : `${recalled}\n\n${text}` },
  ]);
  const turn: Message[] = [
    { role: 'user', content: text },
    { role: 'assistant', content: said },
  ];
  messages.push(...turn);
  await agent.remember(turn, { documentId, mode: 'append' });
  return said;
}

console.log('Say something. What you say is remembered, also in the next chat. End with Ctrl-D.');
try {
  process.stdout.write('you: ');
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') console.log(`bot: ${await reply(line)}`);
    process.stdout.write('you: ');
  }
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\nDoes Mneme run? Start it with: npm start`);
  process.exitCode = 1;
}
