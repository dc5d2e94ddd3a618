import { unquoted } from '../prompts/quoted.ts';

const thoughts = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/i;

/** What an answer says: without the thoughts that some models write before it, and with what it repeats as it was. */
export function withoutThoughts(answer: string): string {
  return unquoted(answer.replace(thoughts, '')).trim();
}
