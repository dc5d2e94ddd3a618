import { withoutThoughts } from './thoughts.ts';

const fence = /```[a-z]*\s*\n?([\s\S]*?)```/i;

/**
 * Reads the JSON of an answer, also when it stands in a code fence, behind the model's own thoughts, or between sentences.
 * @throws SyntaxError when there is none
 */
export function readJson(answer: string): unknown {
  const text = withoutThoughts(answer);
  let firstError: unknown;
  for (const candidate of [text, fence.exec(text)?.[1], betweenBraces(text)]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}

function betweenBraces(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start < 0 || end <= start ? undefined : text.slice(start, end + 1);
}
