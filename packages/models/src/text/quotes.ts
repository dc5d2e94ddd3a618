const closing = new Set('"”»');

/**
 * Replaces what stands in quotation marks, the marks included: from one that may open to the next one that may close.
 * Each character is looked at twice at most, whatever the text.
 *
 * @param limits what is longer than `longest` characters is no quotation; nor is what goes over lines, unless it may
 */
export function replaceQuotes(
  text: string,
  { longest, overLines }: { readonly longest: number; readonly overLines: boolean },
  replace: (quote: string) => string,
): string {
  let result = '';
  let copied = 0;
  let close = -1;
  for (const { index } of text.matchAll(/["“«]/g)) {
    if (index < copied) continue;
    if (close <= index) close = nextClosing(text, index + 1);
    if (close < 0) break;
    const quote = text.slice(index, close + 1);
    if (quote.length - 2 > longest || (!overLines && quote.includes('\n'))) continue;
    result += text.slice(copied, index) + replace(quote);
    copied = close + 1;
  }
  return result + text.slice(copied);
}

function nextClosing(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    if (closing.has(text.charAt(index))) return index;
  }
  return -1;
}
