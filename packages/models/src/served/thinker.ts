import type { Chat } from '../langchain/chat.ts';
import { ModelError } from '../model-error.ts';
import * as prompt from '../prompts/think.v2.ts';
import type { Thinker } from '../reasoning-ports.ts';
import { withoutThoughts } from './thoughts.ts';

/** Answers by a language model. */
export function createServedThinker(chat: Chat): Thinker {
  return {
    name: chat.name,
    promptVersion: prompt.version,
    think: async (input, signal) => {
      const messages = [
        { role: 'system', text: prompt.system },
        { role: 'user', text: prompt.user(input) },
      ] as const;
      const answer = withoutThoughts(await chat.ask(messages, undefined, signal)).toWellFormed();
      if (answer === '') throw new ModelError('empty', `${chat.name}: the answer is empty.`);
      return answer;
    },
  };
}
