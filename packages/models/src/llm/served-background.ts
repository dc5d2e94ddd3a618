import { ModelError } from '../model-error.ts';
import * as prompt from '../prompts/background.v1.ts';
import type { BackgroundWriter } from '../reasoning-ports.ts';
import { traitsAnswer } from './answer-schemas.ts';
import type { Chat } from './chat.ts';
import { askStructured } from './structured.ts';
import { withoutThoughts } from './thoughts.ts';

const wholeFence = /^```[a-z]*\s*\n([\s\S]*?)\n?```$/i;

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
      const text = (wholeFence.exec(answer)?.[1] ?? answer).trim();
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
