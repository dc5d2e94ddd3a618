const thoughts = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/i;

/** An answer without the thoughts that some models write before it. */
export function withoutThoughts(answer: string): string {
  return answer.replace(thoughts, '').trim();
}
