import type { Chat } from '../langchain/chat.ts';
import { ModelError } from '../model-error.ts';
import * as prompt from '../prompts/background.v2.ts';
import type { BackgroundWriter } from '../reasoning-ports.ts';
import { traitsAnswer } from './answer-schemas.ts';
import { askStructured } from './structured.ts';
import { withoutThoughts } from './thoughts.ts';

const fence = '```';

/** Keeps backgrounds by a language model. */
export function createServedBackground(chat: Chat): BackgroundWriter {
  return {
    name: chat.name,
    promptVersion: prompt.version,
    merge: async (input, signal) => {
      const messages = [
        { role: 'system', text: prompt.mergeSystem },
        { role: 'user', text: prompt.mergeUser(input) },
      ] as const;
      const answer = withoutThoughts(await chat.ask(messages, undefined, signal)).toWellFormed();
      const text = withoutFence(answer).trim();
      if (text === '') throw new ModelError('empty', `${chat.name}: the answer is empty.`);
      return text;
    },
    inferTraits: (background, signal) =>
      askStructured(
        chat,
        { name: 'traits', schema: traitsAnswer, system: prompt.traitsSystem, user: prompt.traitsUser(background) },
        signal,
      ),
  };
}

/** An answer that stands in a code fence as a whole, without the fence; another one as it is. */
function withoutFence(answer: string): string {
  const firstLine = answer.indexOf('\n');
  const isFenced = answer.startsWith(fence) && answer.endsWith(fence) && firstLine > 0 && answer.length > firstLine + 3;
  return isFenced && /^[a-z]*\s*$/i.test(answer.slice(fence.length, firstLine))
    ? answer.slice(firstLine + 1, -fence.length)
    : answer;
}
