import { withoutThoughts } from './thoughts.ts';

const fence = '```';

/**
 * Reads the JSON of an answer, also when it stands in a code fence, behind the model's own thoughts, or between sentences.
 * @throws SyntaxError when there is none
 */
export function readJson(answer: string): unknown {
  const text = withoutThoughts(answer);
  let firstError: unknown;
  for (const candidate of [text, betweenFences(text), betweenBraces(text)]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}

/** What stands in the first code fence, without the name of its language. */
function betweenFences(text: string): string | undefined {
  const start = text.indexOf(fence);
  const end = start < 0 ? -1 : text.indexOf(fence, start + fence.length);
  return end < 0 ? undefined : text.slice(start + fence.length, end).replace(/^[a-z]+/i, '');
}

function betweenBraces(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start < 0 || end <= start ? undefined : text.slice(start, end + 1);
}
