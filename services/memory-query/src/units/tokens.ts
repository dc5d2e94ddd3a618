import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

/** The tokenizer takes quadratic time on long words; slices keep it linear, at the price of a token more per slice. */
const sliceLength = 1_000;
const plainText = { disallowedSpecial: new Set<string>() };

/** How many cl100k tokens a text has. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length; start += sliceLength) {
    tokens += countTokens(text.slice(start, start + sliceLength), plainText);
  }
  return tokens;
}
