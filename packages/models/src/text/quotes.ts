const closing = new Set('"”»');

/**
 * Replaces quotations, including the marks: from an opening mark to the next closing one. Linear time: each character is
 * read at most twice.
 *
 * @param limits a longer text than `longest` characters is not a quotation; nor is one of several lines unless `overLines`
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
